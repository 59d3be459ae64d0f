import * as users from '@vrata/contract/users'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useBusyCall } from '../../lib/api/use-busy-call.ts'
import { downloadFile } from '../../lib/download-file.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import type { UserFilter } from './queries.ts'

/** Exports all users of the list as CSV. The export is recorded in the activity of the organization. */
export function ExportUsersButton({ filter }: { filter: UserFilter }) {
  const { t } = useI18n()
  const { errorMessage } = useFormErrors()
  const { run, busy } = useBusyCall(users.exportUsers)
  async function take() {
    const answer = await run(filter)
    if (!answer.ok) return toast(errorMessage(answer))
    downloadFile(answer.data as Blob, `users-${new Date().toISOString().slice(0, 10)}.csv`)
  }
  return (
    <Button busy={busy} onClick={() => void take()}>
      {t('users.export')}
    </Button>
  )
}
