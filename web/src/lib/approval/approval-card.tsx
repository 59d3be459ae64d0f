import type { Answer } from '@vrata/contract'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { useFormErrors } from '../api/form-errors.ts'
import { useI18n } from '../i18n.tsx'

export type ApprovalCardProps<T> = {
  kind: 'organization' | 'app'
  approval: 'pending' | 'rejected'
  reason: string | null
  /** Asks for approval once more; missing for those who may not. */
  onAsk?: (() => Promise<Answer<T>>) | undefined
  onAsked(answer: T): void
}

/** Shows the members of an organization that it, or an app, waits for approval or was rejected, and why. */
export function ApprovalCard<T>({ kind, approval, reason, onAsk, onAsked }: ApprovalCardProps<T>) {
  const { t } = useI18n()
  const { errorMessage } = useFormErrors()

  async function ask(call: () => Promise<Answer<T>>): Promise<void> {
    const answer = await call()
    if (answer.ok) onAsked(answer.data)
    toast(answer.ok ? t('menu.approval.asked') : errorMessage(answer))
  }

  return (
    <Card>
      <CardHead
        title={t(`menu.approval.${approval}`)}
        text={
          <>
            {t(`menu.approval.${kind}.${approval}.text`)}
            {reason && <span className="mt-2 block text-ink">{t('menu.approval.reason', { reason })}</span>}
          </>
        }
        action={
          approval === 'rejected' && onAsk && <Button onClick={() => void ask(onAsk)}>{t('menu.approval.ask')}</Button>
        }
      />
      <div className="pb-2" />
    </Card>
  )
}
