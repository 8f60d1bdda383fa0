import type { Fact } from '../../domain/fact.ts'

/** Relations that are an adjective or a participle: they need "is". */
const BE =
  /^(allergic|afraid|born|based|called|engaged|fluent|fond|interested|located|married|named|related|vegan|vegetarian)\b/
/** Relations that are a noun: they belong to the subject. */
const NOUN =
  /\b(account|address|age|birthday|brother|budget|city|colou?r|company|country|daughter|email|employer|father|friend|id|job|language|manager|mother|name|number|partner|phone|role|size|sister|son|team|time ?zone|title|wife|husband)$/

/** What a fact says, as a sentence for the person that it is about. */
export function sentenceOf({ text, subject, predicate }: Pick<Fact, 'text' | 'subject' | 'predicate'>): string {
  const relation = predicate.replaceAll('_', ' ')
  const start = `${subject ?? ''} ${relation} `
  const rest = subject !== null && text.startsWith(start) ? text.slice(start.length) : undefined
  const words =
    rest === undefined
      ? text
      : BE.test(relation)
        ? `${subject} is ${relation} ${rest}`
        : NOUN.test(relation)
          ? `${subject}’s ${relation} is ${rest}`
          : text
  const sentence = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
