import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { RequestFailure, connection } from '../data/request.ts'
import { PlainText } from './plain-text.tsx'

interface ActionButtonProps {
  /** A verb that says the result. */
  readonly children: ComponentChildren
  readonly run: () => Promise<unknown>
  readonly kind?: string
  readonly disabled?: boolean
}

/** A button that writes. Why it failed is said where it is; while the server is away it waits. */
export function ActionButton({ children, run, kind = 'is-small', disabled = false }: ActionButtonProps): JSX.Element {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | undefined>()
  const act = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await run()
    } catch (error) {
      setFailure(error instanceof RequestFailure ? error.message : String(error))
    }
    setBusy(false)
  }
  return (
    <>
      <button
        type="button"
        class={`btn ${kind}`}
        disabled={disabled || busy || connection.value.lost}
        onClick={() => void act()}
      >
        {children}
      </button>
      {failure !== undefined && (
        <span class="bad-text action-failure" role="alert">
          <PlainText text={failure} />
        </span>
      )}
    </>
  )
}
