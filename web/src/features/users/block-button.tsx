import type { DeveloperUser } from '@vrata/contract/users'
import * as users from '@vrata/contract/users'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { invalidateUsers } from './queries.ts'

type Props = { user: Pick<DeveloperUser, 'id' | 'name' | 'email' | 'blocked'>; onDone: () => void }

/** Blocks a user after a question, or unblocks. */
export function BlockButton({ user, onDone }: Props) {
  const { t } = useI18n()
  const { formErrors, errorMessage } = useFormErrors()
  const context = useAppContext()
  const shown = user.name ?? user.email ?? user.id
  const set = (blocked: boolean) => context.api(users.setUserBlocked, { id: user.id, blocked })

  async function finish(sentence: string) {
    onDone()
    await invalidateUsers(context)
    toast(sentence)
  }

  async function unblock() {
    const answer = await set(false)
    if (!answer.ok) return toast(errorMessage(answer))
    await finish(t('users.unblocked'))
  }

  const block = () =>
    showDialog({
      title: t('users.block.title'),
      message: (
        <>
          <strong className="block font-semibold text-ink">{shown}</strong>
          <span className="mt-3 block">{t('users.block.text')}</span>
        </>
      ),
      buttons: [{ label: t('ui.cancel') }, { label: t('users.block') }],
      danger: true,
      async onSubmit() {
        const answer = await set(true)
        if (!answer.ok) return formErrors(answer)
        await finish(t('users.was_blocked'))
      },
    })

  return (
    <Button
      aria-label={t(user.blocked ? 'users.unblock_one' : 'users.block_one', { name: shown })}
      onClick={() => void (user.blocked ? unblock() : block())}
    >
      {t(user.blocked ? 'users.unblock' : 'users.block')}
    </Button>
  )
}
