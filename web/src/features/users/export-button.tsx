import * as users from '@vrata/contract/users'
import { useI18n } from '../../lib/i18n.tsx'
import { keepFile } from '../../lib/keep-file.ts'
import { useRefusal } from '../../lib/refusal.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import type { UserFilter } from './data.ts'

/** Takes the people of the list along as CSV, all of them; that somebody did so stands in the organisation's activity. */
export function ExportButton({ filter }: { filter: UserFilter }) {
  const { t } = useI18n()
  const { sentence } = useRefusal()
  const { run, busy } = useCall(users.exportUsers)
  async function take() {
    const answer = await run(filter)
    if (!answer.ok) return toast(sentence(answer))
    keepFile(answer.data as Blob, `users-${new Date().toISOString().slice(0, 10)}.csv`)
  }
  return (
    <Button busy={busy} onClick={() => void take()}>
      {t('users.export')}
    </Button>
  )
}
