import { defined } from '../domain/defined.ts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { canBeSent } from '../shape/json-schema.ts'
import type { AnyShape, Field, Fields } from '../shape/shape.ts'
import type { Operation } from '../surface/operation.ts'
import { fieldsIn, requestFields } from '../surface/request-fields.ts'
import { parseAmount, parseCount, parseList, parseMoment, parsePoint, parsePosition } from './command.ts'

/** The fields of an operation's options, or of all that a request of it may have. */
export function optionFields({ options, ...operation }: Operation, which: 'options' | 'request' = 'options'): Fields {
  if (which === 'request') return requestFields({ ...operation, ...defined({ options }) })
  return options === undefined ? {} : fieldsIn(options)
}

/** Gives a command an option for each field, with the field's line of help: `includeClosed` becomes `--include-closed`. */
export function withOptions(
  command: Command,
  fields: Fields,
  defaults: Readonly<Record<string, unknown>> = {},
): Command {
  for (const [name, field] of Object.entries(fields)) {
    if (!canBeSent(field.shape)) continue
    const { default: _, ...withoutDefault } = field
    const preset = name in defaults
    const option = optionFrom(name, preset ? withoutDefault : field)
    command.addOption(preset ? option.default(defaults[name]) : option)
  }
  return command
}

/** Some of the fields, by name. */
export function fieldsNamed(fields: Fields, ...names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}

/** What was given on the command line of these fields. */
export function givenOf(fields: Fields, given: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => name in fields && value !== undefined))
}

function optionFrom(name: string, { shape, help, default: whenLeftOut }: Field): Option {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const first = lowerFirst(help)
  if (shape.form.kind === 'flag' && whenLeftOut === 'true') return new Option(`--no-${words}`, `do not ${first}`)
  const flag = `--${words}`
  const shown = whenLeftOut === undefined || shape.form.kind === 'flag' ? first : `${first} (default: ${whenLeftOut})`
  const { placeholder, parse, choices, optional } = inputOf(shape)
  const taken = placeholder === undefined ? '' : optional === true ? ` [${placeholder}]` : ` <${placeholder}>`
  const option = new Option(`${flag}${taken}`, shown)
  if (choices !== undefined) return option.choices(choices)
  return parse === undefined
    ? option
    : option.argParser<unknown>((value, before) => parse(value, before as readonly string[] | undefined))
}

/** A sentence as the help of an option has it. */
export function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

interface Input {
  /** What stands for the value in the help; none for a flag. */
  readonly placeholder?: string
  readonly parse?: (value: string, before?: readonly string[]) => unknown
  readonly choices?: readonly string[]
  /** The option alone means true. */
  readonly optional?: true
}

/** How a value is written on the command line. */
function inputOf({ form }: AnyShape): Input {
  switch (form.kind) {
    case 'flag':
      return {}
    case 'number':
      return { placeholder: 'n', parse: form.whole ? (form.min === 1 ? parseCount : parsePosition) : parseAmount }
    case 'one-of':
      return { placeholder: 'name', choices: form.values.map(String) }
    case 'list':
      return isNamed(form.item()) ? { placeholder: 'names', parse: parseList } : JSON_INPUT
    case 'time':
      return { placeholder: 'time' }
    case 'moment':
      return { placeholder: 'moment', parse: parseMoment }
    case 'text':
      return { placeholder: 'text' }
    case 'either':
      return eitherInput(form.options)
    default:
      return JSON_INPUT
  }
}

/** Text if the value may be one, or a list of names; other values are written as JSON. */
function eitherInput(options: readonly AnyShape[]): Input {
  if (options.some(({ form }) => form.kind === 'list' && isText(form.item())))
    return { placeholder: 'names', parse: parseList }
  if (options.some(({ form }) => form.kind === 'flag')) return { ...JSON_INPUT, optional: true }
  if (options.some(({ form }) => form.kind === 'moment'))
    return {
      placeholder: 'moment',
      parse: options.some(({ form }) => form.kind === 'number') ? parsePoint : parseMoment,
    }
  if (!options.some(isText)) return JSON_INPUT
  return options.some(({ form }) => form.kind === 'object')
    ? { placeholder: 'name|json', parse: textOrJson }
    : { placeholder: 'text' }
}

/** A text, or something that a name may stand for. */
function isNamed(shape: AnyShape): boolean {
  return isText(shape) || (shape.form.kind === 'either' && shape.form.options.some(isText))
}

function isText({ form }: AnyShape): boolean {
  return form.kind === 'text' || (form.kind === 'one-of' && form.values.every((value) => typeof value === 'string'))
}

const JSON_INPUT: Input = {
  placeholder: 'json',
  parse: (value: string): unknown => {
    try {
      return JSON.parse(value)
    } catch {
      throw new InvalidArgumentError('expected JSON')
    }
  },
}

/** A name, or an object as JSON. */
function textOrJson(value: string): unknown {
  return value.trimStart().startsWith('{') ? JSON_INPUT.parse?.(value) : value
}
