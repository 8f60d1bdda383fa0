import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { RequestFailure, refused } from '../data/request.ts'
import { signIn } from '../data/signed-in.ts'

/** Shown without a key, and when the server refuses the one there is. */
export function SignInView(): JSX.Element {
  const [token, setToken] = useState('')
  const [failure, setFailure] = useState<string | undefined>(
    refused.value ? 'This key is wrong, has expired or was revoked.' : undefined,
  )
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    try {
      await signIn(token.trim().replace(/^.*#key=/, ''))
    } catch (error) {
      const known = error instanceof RequestFailure && error.code !== 'access/unauthenticated'
      setFailure(known ? error.message : 'This key is wrong, has expired or was revoked.')
    }
  }
  return (
    <main class="sign-in">
      <div class="sheet ruled">
        <form class="empty" onSubmit={(event) => void submit(event)}>
          <h1>Open a memory</h1>
          <p>
            The link that <code>daybook serve</code> prints signs you in. Or paste a key here. The page keeps it in a
            cookie that no script can read.
          </p>
          <label for="token">Key</label>
          <div class="row wrap">
            <input
              id="token"
              class="input"
              type="password"
              autocomplete="off"
              spellcheck={false}
              placeholder="dbk_…"
              value={token}
              aria-describedby={failure === undefined ? undefined : 'token-failure'}
              onInput={(event) => setToken(event.currentTarget.value)}
            />
            <button type="submit" class="btn is-primary" disabled={token.trim() === ''}>
              Sign in
            </button>
          </div>
          {failure !== undefined && (
            <p id="token-failure" class="bad-text" role="alert">
              {failure}
            </p>
          )}
          <p class="dim">
            A key for one scope: <code>daybook key create --scope acme/ada --can read</code>
          </p>
        </form>
      </div>
    </main>
  )
}
