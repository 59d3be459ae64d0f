import * as users from '@vrata/contract/users'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useBusyCall } from '../../lib/api/use-busy-call.ts'
import { downloadFile } from '../../lib/download-file.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/feedback/toast.ts'

/** Saves what the organization sees of a user as JSON. The export is recorded in the activity of the organization. */
export function ExportUserButton({ id }: { id: string }) {
  const { t } = useI18n()
  const { errorMessage } = useFormErrors()
  const { run, busy } = useBusyCall(users.exportUser)
  async function take() {
    const answer = await run({ id })
    if (!answer.ok) return toast(errorMessage(answer))
    const file = new Blob([JSON.stringify(answer.data, null, 2)], { type: 'application/json' })
    downloadFile(file, `user-${id}.json`)
  }
  return (
    <Button size="small" busy={busy} onClick={() => void take()}>
      {t('users.details.export')}
    </Button>
  )
}
