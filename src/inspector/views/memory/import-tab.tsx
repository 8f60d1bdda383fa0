import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Imported } from '../../../api/archive.ts'
import type { ImportLine, ImportProgressLine, ImportReport } from '../../../api/imports.ts'
import { endpoints, queryText } from '../../data/endpoints.ts'
import { RequestFailure, edition, upload } from '../../data/request.ts'
import { shownScope } from '../../data/scopes.ts'
import { mayDo } from '../../data/signed-in.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Empty } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { ImportOutcome } from './import-outcome.tsx'

/** What was found in a file, and what became of it. */
interface Found {
  readonly file: File
  /** A file that Daybook exported is read as a whole, without a dry run. */
  readonly archive: boolean
  readonly report?: ImportReport
  readonly stored?: Imported
}

const ARCHIVE_FORMAT = '"format":"daybook-archive"'
const BEGINNING_BYTES = 200

/** An import that goes on in this view: what was found, how far it is, and what went wrong. */
interface RunningImport {
  readonly found: Found | undefined
  readonly progress: ImportProgressLine | undefined
  readonly failure: string | undefined
  readonly busy: boolean
  clear(): void
  examine(file: File): Promise<void>
  store(found: Found): Promise<void>
}

function useImport(scope: string): RunningImport {
  const [found, setFound] = useState<Found | undefined>()
  const [progress, setProgress] = useState<ImportProgressLine | undefined>()
  const [failure, setFailure] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    setProgress(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(error instanceof RequestFailure ? error.message : String(error))
    }
    setBusy(false)
  }
  const examine = (file: File): Promise<void> =>
    inTurn(async () => {
      setFound(undefined)
      const archive = (await file.slice(0, BEGINNING_BYTES).text()).includes(ARCHIVE_FORMAT)
      setFound({ file, archive, ...(archive ? {} : { report: await sendFile(scope, file, true, setProgress) }) })
    })
  const store = ({ file, archive }: Found): Promise<void> =>
    inTurn(async () => {
      if (archive)
        for await (const stored of upload<Imported>(endpoints.scope(scope, 'archive'), file, 'application/x-ndjson'))
          setFound({ file, archive, stored })
      else setFound({ file, archive, report: await sendFile(scope, file, false, setProgress) })
      edition.value += 1
    })
  return { found, progress, failure, busy, clear: () => setFound(undefined), examine, store }
}

/** Imports an archive or what another program exported: by drag and drop, with a dry run first. */
export function ImportTab(): JSX.Element {
  const [scope, setScope] = useState(shownScope.value ?? '')
  const { found, progress, failure, busy, clear, examine, store } = useImport(scope)
  if (!mayDo('write'))
    return (
      <Empty title="This key may not import.">
        <p>It takes a key that may write.</p>
      </Empty>
    )
  return (
    <div class="stacked">
      <section class="card">
        <h2>Import conversations and facts</h2>
        <p class="words">
          Exports of ChatGPT and Claude, transcripts of Claude Code, LangChain, OpenAI and others, memories of Mem0, and
          archives of Daybook. Importing a file twice changes nothing the second time. Facts wait in quarantine until
          somebody endorses them.
        </p>
        <label class="after-words">
          Into the scope{' '}
          <input
            class="input"
            value={scope}
            placeholder="acme/ada"
            onInput={(event) => {
              setScope(event.currentTarget.value)
              clear()
            }}
          />
        </label>
        <DropZone disabled={busy || scope === ''} onFile={(file) => void examine(file)} />
        {failure !== undefined && (
          <p class="bad-text" role="alert">
            <PlainText text={failure} />
          </p>
        )}
        {busy && (
          <p role="status">
            {progress === undefined
              ? 'Reading the file …'
              : `${written.count(progress.conversations, 'conversation')} and ${written.count(progress.messages, 'message')} so far …`}
          </p>
        )}
      </section>
      {found !== undefined && !busy && (
        <section class="card" aria-label="What is in the file">
          <h2>
            <PlainText text={found.file.name} />
          </h2>
          <ImportOutcome scope={scope} report={found.report} stored={found.stored} />
          {(found.report?.dryRun === true || (found.archive && found.stored === undefined)) && (
            <p class="after-words">
              <ActionButton kind="is-primary" run={() => store(found)}>
                Import into {scope}
              </ActionButton>
            </p>
          )}
        </section>
      )}
    </div>
  )
}

async function sendFile(
  scope: string,
  file: File,
  dryRun: boolean,
  onProgress: (progress: ImportProgressLine) => void,
): Promise<ImportReport> {
  const path = endpoints.scope(scope, `imports/file${queryText({ name: nameOf(file), dryRun })}`)
  for await (const line of upload<ImportLine>(path, file, 'application/octet-stream')) {
    if (line.type === 'report') return line.report
    if (line.type === 'progress') onProgress(line)
    else throw new RequestFailure(String(line.problem['code']), String(line.problem['detail']))
  }
  throw new RequestFailure('offline', 'The connection was lost before the report came. Import the file again.')
}

/** As the server takes it: without folders, and not longer than a name may be. */
function nameOf({ name }: File): string {
  return name.replaceAll(/[/\\\0]/g, '_').slice(-200)
}

interface DropZoneProps {
  readonly disabled: boolean
  readonly onFile: (file: File) => void
}

function DropZone({ disabled, onFile }: DropZoneProps): JSX.Element {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null | undefined): void => {
    const file = files?.[0]
    if (file !== undefined && !disabled) onFile(file)
  }
  return (
    <div
      class={`drop-zone${over ? ' is-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files)
      }}
    >
      <Icon name="down" />
      <span>Drop a file or a zip here, or</span>
      <button type="button" class="btn" disabled={disabled} onClick={() => input.current?.click()}>
        Choose a file
      </button>
      <input
        ref={input}
        type="file"
        class="only-heard"
        tabIndex={-1}
        aria-label="File to import"
        onChange={(event) => {
          take(event.currentTarget.files)
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
