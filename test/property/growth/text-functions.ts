import { sessionMarkdown } from '../../../src/archive/markdown.ts'
import { extract } from '../../../src/context/summary/extract.ts'
import { clip, preview } from '../../../src/context/summary/excerpt.ts'
import { errorsIn, identifiersOf, mentionsIn } from '../../../src/context/summary/ledger.ts'
import { dataLine, neutralise, unmarked } from '../../../src/context/summary/marker.ts'
import { jsonIn, jsonShape } from '../../../src/context/summary/json-shape.ts'
import { keepVital } from '../../../src/context/summary/names-line.ts'
import { shortenArguments } from '../../../src/context/summary/payload.ts'
import { sentencesOf, termsOf } from '../../../src/context/summary/sentences.ts'
import { seriesOf } from '../../../src/context/summary/series.ts'
import { worthOf } from '../../../src/context/summary/worth.ts'
import { terminalLine, terminalText } from '../../../src/cli/visible.ts'
import { argumentsObject, argumentsText } from '../../../src/dialects/canonical/arguments.ts'
import { diagnose, repairDocument } from '../../../src/doctor/index.ts'
import { closeDocument, salvageLine } from '../../../src/doctor/salvage.ts'
import { atOnce } from '../../../src/log/with-pauses.ts'
import { bundlesIn } from '../../../src/domain/bundle.ts'
import { ignoreCase } from '../../../src/domain/ignore-case.ts'
import type { Message } from '../../../src/domain/message.ts'
import { looseForm, normalForm, normalPredicate } from '../../../src/domain/normal-form.ts'
import { parseMessage } from '../../../src/domain/parse-message.ts'
import { withoutRecalled } from '../../../src/domain/recalled.ts'
import { findSecrets, withoutSecrets } from '../../../src/domain/secrets.ts'
import { sentenceSpans } from '../../../src/domain/sentence-spans.ts'
import { learnableText } from '../../../src/knowledge/learn/learnable-text.ts'
import { findClaims } from '../../../src/knowledge/learn/patterns/find-claims.ts'
import { listItems } from '../../../src/knowledge/learn/patterns/pattern.ts'
import { statementSpans } from '../../../src/knowledge/learn/patterns/statement-spans.ts'
import { isFounded, isQuoted } from '../../../src/knowledge/learn/model/founded.ts'
import { numbersIn } from '../../../src/knowledge/learn/model/numbers.ts'
import { readLearnedFacts } from '../../../src/knowledge/learn/model/read-facts.ts'
import { findJSON } from '../../../src/model/find-json.ts'
import { isOrder } from '../../../src/model/is-order.ts'
import { isRefusal } from '../../../src/model/is-refusal.ts'
import { quoteJSON } from '../../../src/model/quote-json.ts'
import type { PassageRow } from '../../../src/ports/recall-store.ts'
import { hashEmbedder } from '../../../src/providers/hash-embedder.ts'
import { firstLinks, pairingWarnings, toolLinks } from '../../../src/log/tool-links.ts'
import { loadAnalyser } from '../../../src/recall/analyser.ts'
import { parseLongTermMemory } from '../../../src/recall/block/parse-long-term-memory.ts'
import { visible } from '../../../src/domain/visible-json.ts'
import { messagePassages } from '../../../src/recall/message-passages.ts'
import { NearCopies } from '../../../src/recall/near-copies.ts'
import { normaliseWord } from '../../../src/recall/normalise-word.ts'
import { cutPassages } from '../../../src/recall/passage.ts'
import { estimator } from '../../../src/tokens/estimate.ts'
import { loadTokenizer } from '../../../src/tokens/exact.ts'
import { namesIt } from '../../../src/tools/names-it.ts'

/** What reads text that was stored or received. Whoever writes another adds it here. */
export async function textFunctions(): Promise<Readonly<Record<string, (text: string) => unknown>>> {
  const analyser = await loadAnalyser()
  const exact = await loadTokenizer('o200k_base')
  return {
    namesIt: (text) => namesIt(text, 'a'),
    'analyser.tokens': (text) => analyser.tokens(text),
    'analyser.language': (text) => analyser.language(text, analyser.tokens(text.slice(0, 100))),
    cutPassages: (text) => cutPassages(analyser, text),
    'cutPassages, beside': (text) => cutPassages(analyser, 'a picture', text),
    messagePassages: (text) => messagePassages(analyser, message(text)),
    'bundlesIn, many calls': (text) => atOnce(bundlesIn([manyLinks(text, 'tool-call')])),
    'pairingWarnings, many results': (text) => {
      const results = manyLinks(text, 'tool-result')
      return pairingWarnings({ ...results, seq: 2 }, firstLinks(toolLinks(1, results.parts)))
    },
    normaliseWord,
    NearCopies: (text) => new NearCopies().find(passage, text),
    parseLongTermMemory: (text) => ignoring(() => parseLongTermMemory(text)),
    visible,
    'estimator.count': (text) => estimator().count(text),
    'exact.count': (text) => exact.count(text),
    hashEmbedder: (text) => hashEmbedder().embed({ texts: [text], signal: new AbortController().signal }),
    ...reading,
  }
}

const reading: Readonly<Record<string, (text: string) => unknown>> = {
  parseMessage: (text) => parseMessage('append', 'message', { role: 'user', content: text }),
  'parseMessage, a tool': (text) => parseMessage('append', 'message', { role: 'tool', content: text }),
  'parseMessage, a data URL': (text) =>
    ignoring(() =>
      parseMessage('append', 'message', { role: 'user', parts: [{ type: 'image', image: `data:${text}` }] }),
    ),
  'parseMessage, base64': (text) =>
    ignoring(() => parseMessage('append', 'message', { role: 'user', parts: [{ type: 'image', base64: text }] })),
  withoutRecalled,
  'withoutRecalled, blocks': (text) => withoutRecalled(text.replaceAll('a', '<long_term_memory>')),
  findSecrets: (text) => findSecrets(text, '', false),
  withoutSecrets: (text) => withoutSecrets(text, 'password'),
  normalForm,
  normalPredicate,
  looseForm,
  ignoreCase,
  learnableText: (text) => learnableText(message(text)),
  findClaims: (text) => [...findClaims(text, 'user')],
  sentenceSpans: (text) => [...sentenceSpans(text)],
  statementSpans: (text) => [...statementSpans(text)],
  listItems,
  isQuoted: (text) => isQuoted(text.slice(0, 100), material(text)),
  isFounded: (text) => isFounded(text.slice(0, 100), material(text), [text]),
  numbersIn,
  readLearnedFacts: (text) =>
    readLearnedFacts(text, { materials: [material(text)], beside: [material(text)], known: [] }),
  findJSON,
  isOrder,
  isRefusal,
  quoteJSON: (text) => quoteJSON([text]),
  sentencesOf,
  termsOf,
  mentionsIn: (text) => mentionsIn(text, 'user'),
  identifiersOf: (text) => identifiersOf([message(text)]),
  keepVital: (text) => keepVital(text, mentionsIn(text, 'user').slice(0, 100), 2_000),
  errorsIn,
  jsonIn,
  'jsonShape, of a list': (text) => jsonShape([text, text, text, { [text]: text }]),
  'seriesOf, of lines': (text) => seriesOf(text.split(/[\n ]/), { text: (line) => line }),
  'worthOf, of a user': (text) => worthOf(text, 'user'),
  'worthOf, of a tool': (text) => worthOf(text, 'tool'),
  extract: (text) => extract([{ type: 'message', message: message(text) }], { tokensMax: 500 }),
  dataLine,
  neutralise,
  unmarked,
  clip: (text) => clip(text, 200),
  preview: (text) => preview(text, 1_000),
  shortenArguments: (text) => shortenArguments(`{"a":${JSON.stringify(text)}}`, 100, () => '…'),
  argumentsObject,
  argumentsText,
  diagnose,
  repairDocument,
  salvageLine,
  closeDocument,
  terminalText,
  terminalLine,
  sessionMarkdown: (text) => sessionMarkdown({ id: text, history: async () => [message(text)] }).next(),
}

const passage: PassageRow = {
  thread: 0,
  place: 0,
  shelf: 0,
  reference: '',
  speaker: '',
  role: 0,
  at: 0,
  length: 1,
  cues: 0,
  terms: new Uint32Array(),
}

/** Refusing is an answer too, and takes its time. */
function ignoring(run: () => unknown): unknown {
  try {
    return run()
  } catch {
    return undefined
  }
}

function material(text: string): Parameters<typeof isQuoted>[1] {
  return { id: 'm', seq: 1, role: 'user', at: '2026-03-01T12:00:00.000Z', texts: [text] }
}

/** A message with a call or a result for every sixteen characters of a text. */
function manyLinks(text: string, type: 'tool-call' | 'tool-result'): Message {
  const each = (_: unknown, nth: number): Message['parts'][number] =>
    type === 'tool-call'
      ? { type, id: `c${nth}`, name: 'look', arguments: '{}' }
      : { type, callId: `c${nth}`, output: { type: 'text', text: 'seen' } }
  return {
    ...message(''),
    role: type === 'tool-call' ? 'assistant' : 'tool',
    parts: Array.from({ length: text.length >> 4 }, each),
  }
}

function message(text: string): Message {
  return {
    id: 'm',
    seq: 1,
    role: 'user',
    at: '2026-03-01T12:00:00.000Z',
    tokens: 1,
    tokenizer: 'none',
    revision: 0,
    parts: [{ type: 'text', text }],
  }
}
