import { type Signal, signal } from '@preact/signals'

/** What is open over the page. */
export const shownDialog: Signal<'keys' | 'search' | undefined> = signal(undefined)
