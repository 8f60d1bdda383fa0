import type {
  Block,
  BlockAppend,
  BlockChange,
  BlockEdit,
  BlockHistoryOptions,
  BlockMerge,
  BlockReplace,
  BlockSettings,
  BlockSource,
  BlockWriteOptions,
} from '../api/blocks.ts'
import { refuse } from '../domain/refuse.ts'
import { aListOf, either, withRule } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import {
  aCount,
  aCountUpTo,
  aJsonObject,
  aNull,
  aPosition,
  aText,
  aTextOf,
  aWholeNumber,
  anIsoTime,
  checkedBy,
  oneOf,
} from '../shape/values.ts'
import { aChannel, aTrust } from './fact-shapes.ts'

const LIMIT_MAX = 50_000
const TEXT_BYTES_MAX = 256 * 1024
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u
const NAME_WANTED = 'up to 64 letters, digits, dots, dashes and underscores'

/** Models see the name above the text, so it must not be able to say anything else. */
export const aBlockName: Shape<string> = checkedBy(
  { kind: 'text', min: 1, max: 64 },
  NAME_WANTED,
  (attempt, path, given) => {
    if (typeof given !== 'string' || !NAME.test(given)) refuse(attempt, path, given, NAME_WANTED)
  },
)

const aBlockText: Shape<string> = checkedBy(aText.form, aText.wanted, (attempt, path, given) => {
  aText.check(attempt, path, given)
  if (Buffer.byteLength(given as string) > TEXT_BYTES_MAX) refuse(attempt, path, given, 'at most 256 KiB of text')
})
const aDescription = aTextOf(1, 1_000)
const aLimit = aCountUpTo(LIMIT_MAX)

const blockSource: Shape<BlockSource> = anObject('BlockSource', {
  line: mustHave(aWholeNumber, 'Which line, counted from 0'),
  facts: mustHave(aListOf(aText), 'Ids of the facts'),
  messages: mustHave(
    aListOf(
      anObject<BlockSource['messages'][number]>(undefined, {
        session: mustHave(aText, 'The session of the message'),
        id: mustHave(aText, 'Its id'),
      }),
    ),
    'The messages that taught them, as far as messages did',
  ),
})

export const aBlock: Shape<Block> = anObject('Block', {
  name: mustHave(aText, 'Its name, for example `persona` or `user`'),
  text: mustHave(aText, 'The text; JSON if the block has a schema'),
  tokens: mustHave(aWholeNumber, 'How many tokens the text has'),
  limit: mustHave(aWholeNumber, 'How many tokens the text may have'),
  description: mayHave(aText, 'What the block is for'),
  schema: mayHave(aJsonObject, 'The JSON Schema that the text fits'),
  derivedFrom: mayHave(oneOf(['facts']), 'Where the text comes from, if it is derived'),
  sources: mayHave(aListOf(blockSource), 'Of a derived block: what each line comes from'),
  trust: mustHave(aTrust, 'The trust of its least trusted line'),
  version: mustHave(aWholeNumber, 'Its version'),
  at: mustHave(anIsoTime, 'When it was changed'),
  scope: mustHave(aText, 'The scope that has it: the one that was asked, or an ancestor'),
  session: mayHave(aText, 'The session that has it; missing if it belongs to the scope'),
})

export const blockChange: Shape<BlockChange> = anObject('BlockChange', {
  name: mustHave(aText, 'The name of the block'),
  version: mustHave(aWholeNumber, 'The version that the change made'),
  at: mustHave(anIsoTime, 'When it was changed'),
  text: mayHave(aText, 'The text; missing if the change deleted the block'),
  tokens: mayHave(aWholeNumber, 'How many tokens the text has'),
  limit: mayHave(aWholeNumber, 'How many tokens the text may have'),
  description: mayHave(aText, 'What the block is for'),
  schema: mayHave(aJsonObject, 'The JSON Schema that the text fits'),
  derivedFrom: mayHave(oneOf(['facts']), 'Where the text comes from, if it is derived'),
})

const settings: Shape<BlockSettings> = anObject(
  'BlockSettings',
  {
    text: mayHave(aBlockText, 'The text; JSON if the block has a schema', "'' in a new block"),
    description: mayHave(either([aDescription, aNull]), 'What the block is for; `null` removes it'),
    limit: mayHave(aLimit, 'How many tokens the text may have', '2,000 in a new block'),
    schema: mayHave(either([aJsonObject, aNull]), 'A JSON Schema for the text, which is JSON then; `null` removes it'),
    derivedFrom: mayHave(
      either([oneOf(['facts']), aNull]),
      '`facts` derives the text from the facts of the scope that looks at it, in plain sentences; `null` ends that',
    ),
  },
  { what: 'field', called: 'block', wanted: 'a text, or an object with text, description, limit or schema' },
)

export const blockSettings: Shape<BlockSettings> = withRule(settings, (attempt, path, given) => {
  if (Object.values(given).every((value) => value === undefined)) refuse(attempt, path, given, settings.wanted)
})

export const blockEdit: Shape<BlockEdit> = either(
  [
    anObject<BlockAppend>(
      'BlockAppend',
      { append: mustHave(aBlockText, 'Text to add at the end, on its own line') },
      { what: 'field' },
    ),
    anObject<BlockReplace>(
      'BlockReplace',
      {
        replace: mustHave(aBlockText, 'The text to replace'),
        with: mustHave(aBlockText, 'What to put in its place'),
      },
      { what: 'field' },
    ),
    anObject<BlockMerge>(
      'BlockMerge',
      {
        merge: mustHave(
          aJsonObject,
          'The fields to change, as a JSON merge patch: `null` removes a field, objects are merged',
        ),
      },
      { what: 'field' },
    ),
  ],
  { name: 'BlockEdit', wanted: 'one of { append }, { replace, with } and { merge }' },
)

const writeOptions: Shape<BlockWriteOptions> = anObject('BlockWriteOptions', {
  expected: mayHave(
    aWholeNumber,
    'Change it only if it still has this version; 0 if there must be no value',
    'whatever is there',
  ),
  channel: mayHave(aChannel, 'Who the words come from', "'operator'"),
})

/** What a block is set to is no option: `set(name, text, { limit })` is a likely mistake, and the error says how to write it. */
export const blockWriteOptions: Shape<BlockWriteOptions> = {
  ...writeOptions,
  check: (attempt, path, given) => {
    for (const name of ['text', 'description', 'limit', 'schema', 'derivedFrom'])
      if (typeof given === 'object' && given !== null && name in given)
        refuse(attempt, `option ${name}`, given[name as never], `it in the block itself: set(name, { text, ${name} })`)
    writeOptions.check(attempt, path, given)
  },
}

export const blockHistoryOptions: Shape<BlockHistoryOptions> = anObject('BlockHistoryOptions', {
  limit: mayHave(aCount, 'At most this many changes', '100'),
  before: mayHave(aPosition, 'Only changes before this version: the last one of the page before'),
})
