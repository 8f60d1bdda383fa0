declare module 'snowball-stemmers' {
  interface Stemmer {
    stem(word: string): string
  }
  interface Snowball {
    newStemmer(language: string): Stemmer
  }
  const snowball: Snowball | undefined
  export default snowball
  export const newStemmer: Snowball['newStemmer']
}
