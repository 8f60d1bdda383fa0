import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Dialect } from '../../../domain/dialect.ts'
import { endpoints } from '../../data/endpoints.ts'
import { request } from '../../data/request.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import type { RequestSettings } from './shown-request.ts'

const dialects: readonly Dialect[] = [
  'openai',
  'openai-responses',
  'anthropic',
  'gemini',
  'ai-sdk',
  'ai-sdk-ui',
  'langchain',
]

interface CopyRequestProps {
  readonly scope: string
  readonly session: string
  readonly settings: RequestSettings
}

/** Copies the request in a provider's words, or the command that builds it. */
export function CopyRequest({ scope, session, settings }: CopyRequestProps): JSX.Element {
  const [form, setForm] = useState<Dialect | 'curl'>('openai')
  const [copied, setCopied] = useState(false)
  const path = endpoints.session(scope, session, 'context')
  const body = { ...settings, compact: false }
  const copy = async (): Promise<void> => {
    const text =
      form === 'curl'
        ? `curl -s '${location.origin}${path.replaceAll("'", '%27')}' -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`
        : JSON.stringify(
            (await request<Record<string, unknown>>(path, { body: { ...body, dialect: form } }))[form],
            null,
            2,
          )
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <section class="card">
      <h2>Copy it</h2>
      <div class="row wrap">
        <select
          class="input is-inline"
          aria-label="Copy as"
          value={form}
          onChange={(event) => {
            setForm(event.currentTarget.value as Dialect | 'curl')
            setCopied(false)
          }}
        >
          {[...dialects, 'curl' as const].map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
        <ActionButton kind="" run={copy}>
          Copy
        </ActionButton>
        <span class="dim" role="status">
          {copied ? 'Copied.' : ''}
        </span>
      </div>
    </section>
  )
}
