import { defined } from '../domain/defined.ts'
import type { JSONObject } from '../domain/json.ts'
import type { AnyShape, Field, Fields, Form } from './shape.ts'

/** Where named shapes are written once: the components of an OpenAPI document, or the `$defs` of a schema that is on its own. */
export interface SchemaComponents {
  /** What a reference begins with, such as `#/components/schemas/`. */
  readonly at: string
  /** The schemas so far, by name. */
  readonly schemas: Map<string, JSONObject>
  /** Times are described as text alone, for a model. @default false: milliseconds are accepted too */
  readonly textOnly?: boolean
}

/** The JSON Schema (draft 2020-12) of a shape. Named shapes become references, and their schemas are added to the components. */
export function jsonSchema({ form }: AnyShape, components: SchemaComponents): JSONObject {
  const name = form.kind === 'object' || form.kind === 'either' ? form.name : undefined
  if (name === undefined) return write(form, components)
  if (!components.schemas.has(name)) {
    // Reserved first: a shape may contain itself.
    components.schemas.set(name, {})
    components.schemas.set(name, write(form, components))
  }
  return { $ref: `${components.at}${name}` }
}

/** The schema of one field, with its line of help. */
export function fieldSchema({ shape, help, default: whenLeftOut }: Field, components: SchemaComponents): JSONObject {
  const description = whenLeftOut === undefined ? help : `${help}. Default: ${whenLeftOut}`
  return { ...jsonSchema(shape, components), description }
}

/** The schema of an object with these fields. */
export function fieldsSchema(fields: Fields, components: SchemaComponents, open = false): JSONObject {
  const sendable = Object.entries(fields).filter(([, { shape }]) => canBeSent(shape))
  const required = sendable.flatMap(([name, { optional }]) => (optional ? [] : [name]))
  return {
    type: 'object',
    properties: Object.fromEntries(sendable.map(([name, field]) => [name, fieldSchema(field, components)])),
    ...(required.length === 0 ? {} : { required }),
    ...(open ? {} : { additionalProperties: false }),
  }
}

/** A schema that is on its own, as a tool's input is: named shapes are in its `$defs`. If it is open, other fields are allowed. */
export function standaloneSchema(fields: Fields, open = false): JSONObject {
  const schemas = new Map<string, JSONObject>()
  const schema = fieldsSchema(fields, { at: '#/$defs/', schemas, textOnly: true }, open)
  return schemas.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(schemas) }
}

/** Whether a value of this shape can leave the program. */
export function canBeSent({ form }: AnyShape): boolean {
  return form.kind !== 'local'
}

const ISO = 'An ISO 8601 date, or a time with Z or an offset'

function write(form: Form, components: SchemaComponents): JSONObject {
  switch (form.kind) {
    case 'text':
      return {
        type: 'string',
        ...defined({ minLength: form.min, maxLength: form.max, format: form.format }),
      }
    case 'number':
      return {
        type: form.whole ? 'integer' : 'number',
        ...defined({ minimum: form.min, exclusiveMinimum: form.above, maximum: form.max }),
      }
    case 'flag':
      return { type: 'boolean' }
    case 'null':
      return { type: 'null' }
    case 'json':
      return { description: 'Any JSON value' }
    case 'time':
      return components.textOnly === true
        ? { type: 'string', description: ISO }
        : { type: ['string', 'number'], description: `${ISO}, or milliseconds since 1970` }
    case 'moment':
      return {
        anyOf: [
          { type: 'string', description: ISO },
          { type: 'object', properties: { version: { type: 'integer', minimum: 0 } }, required: ['version'] },
        ],
      }
    case 'bytes':
      return {
        type: 'object',
        properties: { type: { const: 'base64' }, base64: { type: 'string', contentEncoding: 'base64' } },
        required: ['type', 'base64'],
        additionalProperties: false,
      }
    case 'local':
      return { not: {} }
    case 'one-of':
      return oneOfSchema(form)
    case 'list':
      return {
        type: 'array',
        items: jsonSchema(form.item(), components),
        ...defined({ minItems: form.min, maxItems: form.max }),
      }
    case 'map':
      return { type: 'object', additionalProperties: jsonSchema(form.item, components) }
    case 'object':
      return fieldsSchema(form.fields, components, form.open)
    case 'either':
      return { anyOf: form.options.filter(canBeSent).map((option) => jsonSchema(option, components)) }
  }
}

function oneOfSchema({ values, meanings }: Extract<Form, { readonly kind: 'one-of' }>): JSONObject {
  const [only, ...more] = values
  if (only !== undefined && more.length === 0) return { const: only }
  if (meanings !== undefined)
    return { oneOf: values.map((value) => ({ const: value, description: meanings[String(value)] ?? '' })) }
  const types = [...new Set(values.map((value) => (typeof value === 'number' ? 'integer' : typeof value)))]
  return { ...(types.length === 1 ? { type: types[0] ?? '' } : {}), enum: [...values] }
}
