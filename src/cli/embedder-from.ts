import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { defined } from '../domain/defined.ts'
import type { EmbedderInput } from '../providers/embedder.ts'
import { openaiEmbedder } from '../providers/openai-embedder.ts'
import { CommandError } from './exit-status.ts'

const ADDRESS = /^https?:\/\//i
const OPENAI = 'api.openai.com'

/** The embedder that `--embedder` names: a module, or a model at an OpenAI-compatible address. */
export async function embedderFrom(text: string): Promise<EmbedderInput> {
  return ADDRESS.test(text) ? atAddress(text) : inModule(resolve(text), text)
}

/** A module by its whole path, for a configuration that is read in another folder. */
export function wholeEmbedder(text: string): string {
  return ADDRESS.test(text) ? text : resolve(text)
}

function atAddress(text: string): EmbedderInput {
  const [address = '', model = ''] = text.split('#', 2)
  if (model === '')
    throw new CommandError(
      'usage',
      `No model given: add it to the address, for example --embedder ${address}#nomic-embed-text`,
    )
  // A key of OpenAI is not for others.
  const isOpenAI = new URL(address).hostname === OPENAI
  const key = process.env['DAYBOOK_API_KEY'] ?? (isOpenAI ? process.env['OPENAI_API_KEY'] : undefined)
  return openaiEmbedder({ address, model: decodeURIComponent(model), ...defined({ key }) })
}

async function inModule(file: string, named: string): Promise<EmbedderInput> {
  if (!existsSync(file))
    throw new CommandError('notFound', `Cannot load the embedder ${JSON.stringify(named)}: there is no such file`)
  const module = (await import(pathToFileURL(file).href)) as { default?: unknown; embedder?: unknown }
  const embedder = module.embedder ?? module.default
  if (embedder !== undefined) return embedder as EmbedderInput
  throw new CommandError(
    'usage',
    `Cannot use the module ${JSON.stringify(named)}: expected an embedder as its default export`,
  )
}
