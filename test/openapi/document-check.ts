import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JSONObject } from '../../src/domain/json.ts'
import { describeApi } from '../../src/server/openapi.ts'
import { surface } from '../../src/surface/index.ts'
import { fromSegment } from '../../src/wire/segment.ts'

/** What was sent. The body is text, or missing if it was a stream of lines. */
export interface SentRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body?: string | undefined
  readonly lines: readonly string[]
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema?: JSONObject
  readonly content?: Content
}

type Content = Readonly<Record<string, { readonly schema: JSONObject }>>

interface Described {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
}

/** An operation of the document, with what its address matches and where it is in the document. */
export interface DescribedOperation extends Described {
  readonly method: string
  readonly template: string
  readonly address: RegExp
  readonly at: string
}

const ID = 'openapi'

/** Compares requests and responses with the OpenAPI document of the server. A schema is compiled when it is first needed. */
export class DocumentCheck {
  readonly #operations: readonly DescribedOperation[]
  readonly #ajv: Ajv2020
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: JSONObject = describeApi(surface)) {
    // Words of OpenAPI itself, such as `paths`, are no keywords of JSON Schema.
    this.#ajv = new Ajv2020({ strict: false, validateSchema: false })
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, ID)
    this.#operations = operationsOf(document)
  }

  /** The operation that a request is for. */
  find(method: string, url: URL): DescribedOperation | undefined {
    return this.#operations.find(
      (operation) => operation.method === method.toLowerCase() && operation.address.test(url.pathname),
    )
  }

  /** What is wrong with a request that the server accepted. */
  request(operation: DescribedOperation, { url, headers, body, lines }: SentRequest): readonly string[] {
    const { method, parameters = [], requestBody, at } = operation
    const inPath = operation.address.exec(url.pathname)?.groups ?? {}
    const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const found = [...url.searchParams.keys()].flatMap((name) =>
      known.includes(name) ? [] : [`query parameter ${name} is not described`],
    )
    for (const [index, parameter] of parameters.entries()) {
      const { name } = parameter
      const given = {
        path: inPath[name] === undefined ? null : fromSegment(decodeURIComponent(inPath[name])),
        query: url.searchParams.get(name),
        header: headers.get(name),
      }[parameter.in]
      if (given === null) {
        if (parameter.required === true) found.push(`${parameter.in} parameter ${name} is missing`)
        continue
      }
      const media = Object.keys(parameter.content ?? {})[0]
      const schema = `${at}/parameters/${index}/${media === undefined ? 'schema' : `content/${escaped(media)}/schema`}`
      const value = media !== undefined || isPlain(parameter.schema) ? parsedOr(given) : given
      found.push(...this.#violations(schema, value, `${parameter.in} parameter ${name}`))
    }
    // HTTP gives the body of a DELETE no meaning, and the server does not read it.
    if (body !== undefined && body !== '' && method !== 'delete') {
      if (requestBody?.content['application/json'] === undefined) found.push('a body is not described')
      else
        found.push(
          ...this.#violations(
            `${at}/requestBody/content/application~1json/schema`,
            JSON.parse(body) as unknown,
            'request',
          ),
        )
    } else if (requestBody?.required === true && body !== undefined) found.push('the body is missing')
    for (const line of lines.filter((text) => text.trim() !== ''))
      found.push(
        ...this.#violations(
          `${at}/requestBody/content/application~1x-ndjson/schema`,
          JSON.parse(line) as unknown,
          'line',
        ),
      )
    return found
  }

  /** What is wrong with a status or a media type. */
  response({ responses }: DescribedOperation, status: number, media: string): readonly string[] {
    const { content } = responses[statusOf(responses, status)] ?? { content: {} }
    if (status < 400 && responses[status] === undefined) return [`status ${status} is not described`]
    return content[media] === undefined ? [`media type ${media} of status ${status} is not described`] : []
  }

  /** What is wrong with a response, or with one item of a stream. */
  answer({ at, responses }: DescribedOperation, status: number, media: string, value: unknown): readonly string[] {
    const schema = `${at}/responses/${statusOf(responses, status)}/content/${escaped(media)}/schema`
    // Lines of text that is described as a whole, such as an archive.
    if (responses[statusOf(responses, status)]?.content[media]?.schema['type'] === 'string') return []
    return this.#violations(schema, value, `response ${status}`)
  }

  #violations(at: string, value: unknown, what: string): readonly string[] {
    let validate = this.#compiled.get(at)
    if (validate === undefined) this.#compiled.set(at, (validate = this.#ajv.compile({ $ref: `${ID}#${at}` })))
    if (validate(value)) return []
    const errors = this.#ajv.errorsText(validate.errors, { dataVar: what })
    return [`${errors} in ${JSON.stringify(value).slice(0, 600)}`]
  }
}

function operationsOf(document: JSONObject): readonly DescribedOperation[] {
  const paths = document['paths'] as unknown as Readonly<Record<string, Readonly<Record<string, Described>>>>
  const all = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method,
      template,
      address: new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      at: `/paths/${escaped(template)}/${method}`,
    })),
  )
  // `/messages/bulk` before `/messages/{id}`.
  return all.toSorted((a, b) => a.template.split('{').length - b.template.split('{').length)
}

function statusOf(responses: Described['responses'], status: number): string {
  return responses[status] === undefined ? 'default' : String(status)
}

/** A part of a JSON pointer, in a fragment. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function isPlain(schema: JSONObject = {}): boolean {
  return ['integer', 'number', 'boolean'].includes(schema['type'] as string)
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
