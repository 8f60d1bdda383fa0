import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface ModalProps {
  readonly label: string
  readonly kind?: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Opens over the page, takes the focus, and is closed by Esc or a click beside it. */
export function Modal({ label, kind = '', onClose, children }: ModalProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    element.current?.showModal()
  }, [])
  return (
    <dialog
      ref={element}
      class={`dialog ${kind}`}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) onClose()
      }}
    >
      {children}
    </dialog>
  )
}
