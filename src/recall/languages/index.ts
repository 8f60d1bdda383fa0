import { byScript } from './by-script.ts'
import { chinese } from './chinese.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import type { LanguagePack } from './language-pack.ts'
import { neutral } from './neutral.ts'
import { stemmed } from './stemmed.ts'

export const packs: {
  readonly english: LanguagePack
  readonly german: LanguagePack
  readonly chinese: LanguagePack
  readonly japanese: LanguagePack
  readonly neutral: LanguagePack
  /** Those in Latin letters: recognised by their stop words and by letters of their own. */
  readonly latin: readonly LanguagePack[]
  /** Those that have a script of their own. */
  readonly byScript: typeof byScript
} = { english, german, chinese, japanese, neutral, latin: [english, german, ...stemmed], byScript }
