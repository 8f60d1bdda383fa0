import { chinese } from './chinese.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import type { LanguagePack } from './language-pack.ts'
import { neutral } from './neutral.ts'
import { stemmed } from './stemmed.ts'

export const packs: {
  readonly english: LanguagePack
  readonly chinese: LanguagePack
  readonly japanese: LanguagePack
  readonly neutral: LanguagePack
  /** Those that are written in words with spaces between: told apart by their stop words. */
  readonly spaced: readonly LanguagePack[]
} = { english, chinese, japanese, neutral, spaced: [english, german, ...stemmed] }
