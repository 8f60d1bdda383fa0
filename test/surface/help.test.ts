import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { anObject } from '../../src/shape/object.ts'
import type { AnyShape, Fields } from '../../src/shape/shape.ts'
import { importFileCall } from '../../src/surface/imports.ts'
import { surface } from '../../src/surface/index.ts'
import { turnCall } from '../../src/surface/turn.ts'
import { openCalls } from '../../src/surface/open-memory.ts'
import type { CheckedCall, Operation } from '../../src/surface/operation.ts'
import { moveCall, restoreCall } from '../../src/surface/restore.ts'
import { listenFields } from '../../src/surface/serve.ts'

interface Documented {
  readonly help: string
  readonly default?: string
}

/** The fields of the interfaces in `src/api`, with the first sentence of their comment and its `@default`. */
function documented(): ReadonlyMap<string, Readonly<Record<string, Documented>>> {
  const folder = join(ROOT, 'src/api')
  const text = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const found = new Map<string, Readonly<Record<string, Documented>>>()
  // Twice: an interface may extend one that comes later.
  const interfaces = [...text.matchAll(/^export interface (\w+)(?: extends ([^{]+?))? \{\n([\s\S]*?)^\}/gm)]
  for (const [, name = '', parents = '', body = ''] of [...interfaces, ...interfaces]) {
    const own = [...body.matchAll(/^ {2}\/\*\*([\s\S]*?)\*\/\n {2}readonly (\w+)/gm)].map(
      ([, comment = '', field = '']) => [field, read(comment)] as const,
    )
    const inherited = [...parents.matchAll(/(?:Pick<\s*)?\b([A-Z]\w+)(?:,\s*('[^>]+)>)?/g)].map(
      ([, parent = '', picked]) => pick(found.get(parent) ?? {}, picked),
    )
    found.set(name, Object.assign({}, ...inherited, Object.fromEntries(own)) as Readonly<Record<string, Documented>>)
  }
  return found
}

/** All fields, or those of a `Pick`. */
function pick(fields: Readonly<Record<string, Documented>>, picked: string | undefined): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => picked?.includes(`'${name}'`) ?? true))
}

function read(comment: string): Documented {
  const plain = comment.replaceAll(/\n *\* ?/g, ' ').trim()
  const [said = '', whenLeftOut] = plain.split(/ ?@default /)
  const [, sentence = said] = /^(.*?)\.(?: |$)/.exec(said) ?? []
  return { help: sentence, ...(whenLeftOut === undefined ? {} : { default: whenLeftOut }) }
}

/** Every named object that the surface takes or returns. */
function named(shapes: readonly AnyShape[], found: Map<string, Fields> = new Map()): ReadonlyMap<string, Fields> {
  for (const { form } of shapes) {
    if (form.kind === 'object') {
      if (form.name !== undefined && found.has(form.name)) continue
      if (form.name !== undefined) found.set(form.name, form.fields)
      named(
        Object.values(form.fields).map(({ shape }) => shape),
        found,
      )
    } else if (form.kind === 'either') named(form.options, found)
    else if (form.kind === 'list') named([form.item()], found)
    else if (form.kind === 'map') named([form.item], found)
  }
  return found
}

describe('[surface-2] the comment on a field and its line of help', () => {
  const listening = { attempt: 'serve', options: anObject('ListenOptions', listenFields) }
  // The first shape of a name is compared, so the one with most options is first.
  const local: readonly CheckedCall[] = [openCalls.postgres, importFileCall, restoreCall, moveCall, turnCall, listening]
  const calls: readonly (CheckedCall & Partial<Operation>)[] = [...surface, ...local]
  const shapes = calls.flatMap(({ takes = {}, sends = {}, options, answer }) => [
    ...Object.values({ ...takes, ...sends }).map(({ shape }) => shape),
    ...(options === undefined ? [] : [options]),
    ...(answer === undefined ? [] : [answer]),
  ])
  const api = documented()
  // What is inherited from a noun of `domain/` has its comments there.
  const described = [...named(shapes)].filter(([name]) => api.has(name) && name !== 'FoldSummary')

  it('are compared for the interfaces that users name', () => {
    expect(described.map(([name]) => name)).toEqual(
      expect.arrayContaining(['RecallOptions', 'RecallItem', 'FactsOptions', 'MemoryOptions', 'ImportOptions']),
    )
  })

  it.each(described)('are equal in %s', (name, fields) => {
    const lines = Object.entries(fields).map(([field, { help, default: whenLeftOut }]) => [
      field,
      { help, ...(whenLeftOut === undefined ? {} : { default: whenLeftOut }) },
    ])
    const documentedFields = Object.entries(api.get(name) ?? {})
    // A key is for the address of a server, and then it is the only option.
    const expected = documentedFields.filter(([field]) => !(name === 'MemoryOptions' && field === 'key'))
    expect(Object.fromEntries(lines)).toEqual(Object.fromEntries(expected))
  })
})
