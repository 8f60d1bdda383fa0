import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** How long a pause ends what is typed. */
const TYPING_MS = 200

interface FilterFieldProps {
  /** The text that the address has. */
  readonly value: string
  /** Another scope begins with its own text. */
  readonly scope: string
  readonly placeholder: string
  readonly label: string
  /** Called with what was typed, after a pause. */
  readonly onTyped: (text: string) => void
}

/** A field whose text becomes part of the address. */
export function FilterField({ value, scope, placeholder, label, onTyped }: FilterFieldProps): JSX.Element {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [scope, value])
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed !== value) onTyped(typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      class="input"
      type="search"
      data-first-field
      placeholder={placeholder}
      aria-label={label}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
