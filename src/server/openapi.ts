import type { JSONObject } from '../domain/json.ts'
import { type SchemaComponents, fieldSchema, jsonSchema, fieldsSchema } from '../shape/json-schema.ts'
import { anObject, mustHave } from '../shape/object.ts'
import type { AnyShape, Fields, Shape } from '../shape/shape.ts'
import { aJsonObject, aText, aWholeNumber } from '../shape/values.ts'
import type { Operation } from '../surface/operation.ts'
import { hasQuery, pathNames, requestFields, textParameters } from '../surface/request-fields.ts'
import { PROBLEM_TYPE, type Problem } from '../wire/problem.ts'
import { MINIMAL_TYPE, minimalShape } from './blind-answer.ts'

const problem: Shape<Problem> = anObject<Problem>('Problem', {
  type: mustHave(aText, 'The code as a URN'),
  title: mustHave(aText, 'The code'),
  status: mustHave(aWholeNumber, 'The status of the response'),
  code: mustHave(aText as Shape<unknown> as Shape<Problem['code']>, 'The code, to branch on'),
  detail: mustHave(aText, 'What went wrong, in words'),
  details: mustHave(aJsonObject as Shape<unknown> as Shape<Problem['details']>, 'The same for programs'),
})

/** The OpenAPI 3.1 document of these operations. */
export function describeApi(operations: readonly Operation[]): JSONObject {
  const components: SchemaComponents = { at: '#/components/schemas/', schemas: new Map() }
  const paths: Record<string, Record<string, JSONObject>> = {}
  for (const operation of operations) {
    const { method, path } = operation
    paths[path] = { ...paths[path], [method]: describeOperation(operation, components) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Daybook', version: '1', description: 'The memory of your agents' },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries([...components.schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

function describeOperation(operation: Operation, components: SchemaComponents): JSONObject {
  const { name, help, method, path, can, writes, creates } = operation
  const request = requestOf(operation, components)
  const { media, also, schema } = answerOf(operation, components)
  const minimal = minimalShape(operation)
  const parameters = [
    ...pathNames(path).map((parameter) => pathParameter(parameter, operation, components)),
    ...request.parameters,
    ...(writes ? [IDEMPOTENCY_KEY] : []),
  ]
  return {
    operationId: name,
    summary: help,
    description: `Needs a key that may ${can}.`,
    tags: [name.split('.')[0] ?? ''],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request.body === undefined || method === 'get' ? {} : { requestBody: request.body }),
    responses: {
      [creates === true ? '201' : '200']: {
        description: help,
        content: {
          [media]: { schema },
          ...Object.fromEntries(also.map((type) => [type, { schema }])),
          // What a key gets that may not read.
          ...(minimal === undefined ? {} : { [MINIMAL_TYPE]: { schema: jsonSchema(minimal, components) } }),
        },
      },
      default: {
        description: 'What went wrong',
        content: { [PROBLEM_TYPE]: { schema: jsonSchema(problem, components) } },
      },
    },
  }
}

const IDEMPOTENCY_KEY: JSONObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A name for this request. If you send the request again with the same name, it is carried out only once',
  schema: { type: 'string', minLength: 1, maxLength: 512 },
}

interface Request {
  readonly parameters: readonly JSONObject[]
  readonly body?: JSONObject
}

function pathParameter(name: string, { takes }: Operation, components: SchemaComponents): JSONObject {
  const field = takes?.[name]
  return {
    name,
    in: 'path',
    required: true,
    ...(field === undefined
      ? { description: `${PATH_HELP[name] ?? name}. ${TILDE}`, schema: { type: 'string' } }
      : { description: `${field.help}. ${TILDE}`, schema: jsonSchema(field.shape, components) }),
  }
}

/** See `wire/segment.ts`. */
const TILDE = 'A name that is . or .., or begins with a tilde, is sent with a tilde before it'

const PATH_HELP: Readonly<Record<string, string>> = {
  scope: 'The scope, such as acme/ada: one segment of the address, with its slashes as %2F',
  session: 'The id of the session',
}

function requestOf(operation: Operation, components: SchemaComponents): Request {
  const fields = requestFields(operation)
  if (operation.streams !== undefined && 'in' in operation.streams)
    return {
      parameters: queryOf(fields, textParameters(operation), components),
      body: {
        required: true,
        content: {
          [operation.streams.in]: { schema: bodySchema(operation.streams.in, operation.streams.item, components) },
        },
      },
    }
  if (hasQuery(operation)) return { parameters: queryOf(fields, textParameters(operation), components) }
  const needed = Object.values(fields).some(({ optional }) => !optional)
  const schema = fieldsSchema(fields, components)
  return { parameters: [], body: { required: needed, content: { 'application/json': { schema } } } }
}

/** Query parameters are text as it is, or JSON: `?limit=5`, `?asOf={"version":3}`. */
function queryOf(fields: Fields, text: readonly string[], components: SchemaComponents): readonly JSONObject[] {
  return Object.entries(fields).map(([name, field]) => {
    const { description, ...schema } = fieldSchema(field, components)
    return {
      name,
      in: 'query',
      required: !field.optional,
      description: description ?? '',
      ...(text.includes(name)
        ? { schema: { ...schema, type: 'string' } }
        : isPlain(field)
          ? { schema }
          : { content: { 'application/json': { schema } } }),
    }
  })
}

/** Numbers and flags are written alike in JSON and in a query. */
function isPlain({ shape: { form } }: Fields[string]): boolean {
  return form.kind === 'number' || form.kind === 'flag'
}

function answerOf(
  operation: Operation,
  components: SchemaComponents,
): { readonly media: string; readonly also: readonly string[]; readonly schema: JSONObject } {
  const { streams, answer } = operation
  const media = streams?.out ?? 'application/json'
  const also = streams !== undefined && 'also' in streams ? streams.also : undefined
  return { media, also: also ?? [], schema: bodySchema(media, answer, components) }
}

/** Bytes have no shape. */
function bodySchema(media: string, shape: AnyShape, components: SchemaComponents): JSONObject {
  return media === 'application/octet-stream' ? { type: 'string', format: 'binary' } : jsonSchema(shape, components)
}
