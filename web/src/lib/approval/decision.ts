import type { Approval } from '@vrata/contract/approval'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import type { SubmitErrors } from '../../ui/form/form.tsx'
import { useI18n } from '../i18n.tsx'

/** Decision of an operator about an organization or app; empty where nothing changes. */
export type Decision = { approved?: boolean; reason?: string; seen_approval?: Approval | null }

/** The fields of dialogs in which operators approve or reject, and what was chosen in them. */
export function useDecision() {
  const { t } = useI18n()

  const decisionFields = (approval: Approval | null) => [
    {
      kind: 'select' as const,
      name: 'decision',
      label: t('menu.approval.decision'),
      value: approval === 'rejected' ? 'rejected' : 'approved',
      ...(approval === null && { hint: t('menu.approval.decision.hint') }),
      options: [
        {
          value: 'approved',
          label: t(approval === null ? 'menu.approval.approved' : 'menu.approval.decision.approve'),
        },
        {
          value: 'rejected',
          label: t(approval === 'rejected' ? 'menu.approval.rejected' : 'menu.approval.decision.reject'),
        },
      ],
    },
    {
      kind: 'multiline' as const,
      name: 'reason',
      label: t('menu.approval.given_reason'),
      hint: t('menu.approval.given_reason.hint'),
      maxLength: 500,
      shownFor: { select: 'decision', value: 'rejected' },
    },
  ]

  const decisionIn = (values: Record<string, string>, approval: Approval | null): Decision => {
    const approved = values.decision === 'approved'
    const reason = values.reason?.trim()
    if (approved) return approval === null ? {} : { approved, seen_approval: approval }
    return { approved, ...(reason && { reason }), seen_approval: approval }
  }

  /** Asks about something that waits or was rejected. */
  const decide = (
    { name, approval }: { name: string; approval: Approval | null },
    save: (decision: Decision) => Promise<SubmitErrors | undefined>,
  ) =>
    showDialog({
      title: t('menu.approval.decide.title', { name }),
      message: t('menu.approval.decide.text'),
      fields: decisionFields(approval),
      buttons: [{ label: t('ui.cancel') }, { label: t('ui.save') }],
      onSubmit: (values) => save(decisionIn(values, approval)),
    })

  return { decisionFields, decisionIn, decide }
}
