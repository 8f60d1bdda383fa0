import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Fields } from '../../src/shape/shape.ts'
import { surface } from '../../src/surface/index.ts'
import { type Operation } from '../../src/surface/operation.ts'
import { requestFields } from '../../src/surface/request-fields.ts'
import { ROOT } from '../run.ts'
import { type Declared, type Member, interfacesOf } from './interfaces.ts'

/** The handles that a program calls, in the order of the page. */
const HANDLES = ['Memory', 'Scope', 'Session', 'SessionState', 'Tasks', 'Notes', 'Retention', 'Jobs', 'Keys']

/** The pages that are made from the description of the surface and from the types of `src/api`. */
export function referencePages(): Readonly<Record<string, string>> {
  const files = readdirSync(join(ROOT, 'src/api')).toSorted()
  const declared = files.flatMap((file) => interfacesOf(readFileSync(join(ROOT, 'src/api', file), 'utf8')))
  return { api: apiPage(declared), options: optionsPage(declared), http: httpPage(surface) }
}

function apiPage(declared: readonly Declared[]): string {
  const handles = HANDLES.flatMap((name) => declared.filter((one) => one.name === name))
  return [
    '# API\n\nEvery method of the library. All are asynchronous, except those that only return a handle. The fields of options and results are in [options and results](options.md).\n',
    ...handles.map(
      ({ name, comment, members }) =>
        `## ${name}\n\n${comment}\n\n${members.map((member) => memberText(name, member)).join('\n')}`,
    ),
  ].join('\n')
}

function memberText(handle: string, { signature, name, comment, throws, example }: Member): string {
  const parts = [
    `### ${handle}.${name}`,
    `\`\`\`ts\n${signature.replaceAll(/ (?=\w+(?:<.*>)?\([^)]*\): Promise)/g, '\n')}\n\`\`\``,
    comment,
  ]
  for (const sentence of throws) parts.push(`Throws ${sentence}`)
  if (example !== '') parts.push(`\`\`\`ts\n${example}\n\`\`\``)
  return `${parts.join('\n\n')}\n`
}

function optionsPage(declared: readonly Declared[]): string {
  const shapes = declared.filter(({ name, members }) => !HANDLES.includes(name) && members.length > 0)
  return [
    '# Options and results\n\nThe fields of every object that a method takes or returns.\n',
    ...shapes
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(
        ({ name, comment, members }) =>
          `## ${name}\n\n${comment}\n\n| field | type | meaning | default |\n| --- | --- | --- | --- |\n${members.map(fieldRow).join('\n')}\n`,
      ),
  ].join('\n')
}

function fieldRow({ signature, comment, default: whenLeftOut = '' }: Member): string {
  const [, field = signature, type = ''] = /^([\w?[\].]+): (.*)$/.exec(signature) ?? []
  return `| ${code(field)} | ${type === '' ? '' : code(type)} | ${cell(comment)} | ${whenLeftOut === '' ? '' : cell(whenLeftOut)} |`
}

function httpPage(operations: readonly Operation[]): string {
  const nouns = Map.groupBy(operations, ({ name }) => name.split('.')[0] ?? '')
  const intro =
    '# HTTP\n\nEvery address of the server, from the same description as the library. `GET /openapi.json` has the schemas. A name in braces is one path segment: write `/` in a scope as `%2F`. Send `Authorization: Bearer <key>`.\n'
  return [intro, ...[...nouns].map(([noun, listed]) => `## ${noun}\n\n${listed.map(operationText).join('\n')}`)].join(
    '\n',
  )
}

function operationText(operation: Operation): string {
  const { method, path, help, can, streams } = operation
  const fields = requestFields(operation)
  const stream =
    streams === undefined
      ? ''
      : 'in' in streams
        ? ` The body is a stream of \`${streams.in}\`.`
        : ` Returns a stream of \`${streams.out}\`.`
  return [
    `### ${operation.name}`,
    `\`${method.toUpperCase()} ${path}\``,
    `${help}. Needs a key that can \`${can}\`.${stream}`,
    ...(Object.keys(fields).length === 0 ? [] : [fieldTable(fields)]),
    '',
  ].join('\n\n')
}

function fieldTable(fields: Fields): string {
  const rows = Object.entries(fields).map(
    ([name, field]) =>
      `| \`${name}\` | ${cell(field.help)} | ${cell(field.default ?? (field.optional ? '' : 'required'))} |`,
  )
  return `| field | meaning | default |\n| --- | --- | --- |\n${rows.join('\n')}`
}

function code(text: string): string {
  return `\`${text.replaceAll('|', String.raw`\|`)}\``
}

/** Text for a cell of a table: on one line, with nothing that Markdown or the site would take for markup. */
function cell(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;{')))
    .join('`')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', String.raw`\|`)
}
