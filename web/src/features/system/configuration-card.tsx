import type { Answer } from '@vrata/contract'
import type { Change, ConfigurationChanges } from '@vrata/contract/configuration'
import * as configuration from '@vrata/contract/configuration'
import { useRef, useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { downloadFile } from '../../lib/download-file.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { dialogAfterWait } from '../../ui/dialog/dialog-after-wait.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { type RefusedDocument, RefusedDocumentNotice } from './refused-document.tsx'

const YAML = 'application/yaml'
/** Periods after which something is deleted, with what they mean when they are empty and when they get shorter. */
const KEPT = {
  'policy.activity_days': { empty: 'policy.forever', shorter: 'policy.activity_days.shorter' },
  'policy.audit_days': { empty: 'policy.audit_days.forever', shorter: 'policy.audit_days.shorter' },
} as const
const keptBy = (path: string) => KEPT[path as keyof typeof KEPT]

/** Data that is deleted once the changes are applied. */
function deletionsOf(changes: readonly Change[]) {
  return changes.flatMap(({ path, from, to }) => {
    const kept = keptBy(path)
    const isShorter = typeof to === 'number' && (typeof from !== 'number' || to < from)
    return kept && isShorter ? [{ key: kept.shorter, days: to }] : []
  })
}

/** The client of the pages writes no query of a PUT. */
const dryRun = {
  ...configuration.updateConfiguration,
  path: '/admin/config?dry_run=true',
} as unknown as typeof configuration.updateConfiguration

/** Policy, look and groups as one document. Administrators apply one after they have seen what it changes. */
export function ConfigurationCard() {
  const { t } = useI18n()
  const context = useAppContext()
  const { operator_role } = useUser()
  const { formErrors, errorMessage } = useFormErrors()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState<'download' | 'apply'>()
  const [refused, setRefused] = useState<RefusedDocument>()

  async function download() {
    setBusy('download')
    // Renews the session if that is due; its answer is JSON.
    const answer = await context.api(configuration.getConfiguration, {})
    const text = answer.ok ? await yamlOf(context).catch(() => undefined) : undefined
    setBusy(undefined)
    if (!answer.ok) return toast(errorMessage(answer))
    if (text === undefined) return toast(t('ui.no_answer'))
    downloadFile(new Blob([text], { type: YAML }), `vrata-${new Date().toISOString().slice(0, 10)}.yaml`)
  }

  /** The document goes as it is: JSON is YAML, too. */
  const send = (route: typeof dryRun, document: Blob): Promise<Answer<ConfigurationChanges>> =>
    context.api.withProgress(() => {})(route, { document } as never)

  async function choose(file: File | undefined) {
    if (!file || busy) return
    setRefused(undefined)
    setBusy('apply')
    const showDialog = dialogAfterWait()
    const document = await contentOf(file)
    const answer = await send(dryRun, document)
    setBusy(undefined)
    if (!answer.ok) {
      const { fields, message } = formErrors(answer)
      return setRefused({ name: file.name, fields, message: message ?? '', says: answer.problem.message })
    }
    const { changes, affected } = answer.data
    if (changes.length === 0) return toast(t('system.configuration.same'))
    await showDialog({
      title: t('system.configuration.apply'),
      message: t('system.configuration.review', { count: changes.length }),
      fields: [{ kind: 'description', text: <Changes changes={changes} affected={affected} /> }],
      buttons: [{ label: t('ui.cancel') }, { label: t('system.configuration.apply') }],
      danger: (affected?.locked_out ?? 0) > 0 || deletionsOf(changes).length > 0,
      async onSubmit() {
        const done = await send(configuration.updateConfiguration, document)
        if (!done.ok) return { message: errorMessage(done) }
        await context.queries.invalidateQueries()
        toast(t('system.configuration.applied'))
      },
    })
  }

  return (
    <Card>
      <CardHead title={t('system.configuration')} text={t('system.configuration.text')} />
      <CardBody className="space-y-4 pt-2">
        <input
          ref={input}
          type="file"
          accept=".yaml,.yml,.json"
          hidden
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            currentTarget.value = ''
            void choose(file)
          }}
        />
        <div className="flex flex-wrap gap-3">
          <Button busy={busy === 'download'} onClick={() => void download()}>
            {t('system.configuration.download')}
          </Button>
          {operator_role === 'admin' && (
            <Button busy={busy === 'apply'} onClick={() => input.current?.click()}>
              {t('system.configuration.choose')}
            </Button>
          )}
        </div>
        {refused && <RefusedDocumentNotice document={refused} />}
      </CardBody>
    </Card>
  )
}

/** Read once, so that the applied document is the one that was shown, even if the file was saved again meanwhile. */
function contentOf(file: File): Promise<Blob> {
  return file.arrayBuffer().then(
    (bytes) => new Blob([bytes], { type: YAML }),
    // A file that is too large for memory, or deleted, makes the call fail.
    () => file.slice(0, file.size, YAML),
  )
}

async function yamlOf({ apiBase, fetch }: ReturnType<typeof useAppContext>): Promise<string | undefined> {
  const response = await fetch(`${apiBase}/v1${configuration.getConfiguration.path}`, {
    credentials: apiBase ? 'include' : 'same-origin',
    headers: { accept: YAML },
  })
  return response.ok ? await response.text() : undefined
}

function Changes({ changes, affected }: ConfigurationChanges) {
  const { t } = useI18n()
  const shown = (path: string, value: Change['from']) => {
    const text = [value].flat().join(', ')
    return value === null || text === '' ? t(keptBy(path)?.empty ?? 'system.configuration.nothing') : text
  }
  return (
    <div className="space-y-4">
      {affected && affected.locked_out > 0 && (
        <p className="font-semibold text-danger">{t('system.configuration.locked_out', affected)}</p>
      )}
      {affected && affected.second_factor_setup > 0 && <p>{t('system.configuration.second_factor', affected)}</p>}
      {deletionsOf(changes).map(({ key, days }) => (
        <p key={key} className="font-semibold text-danger">
          {t(key, { days })}
        </p>
      ))}
      <ul className="divide-y divide-line">
        {changes.map(({ path, from, to }) => (
          <li key={JSON.stringify([path, from, to])} className="py-2 wrap-anywhere">
            <code className="font-mono text-small text-muted">{path}</code>
            <p>{t('system.configuration.change', { before: shown(path, from), after: shown(path, to) })}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
