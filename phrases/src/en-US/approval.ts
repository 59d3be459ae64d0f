/** Approval of organizations and apps: what their members and operators see of it. */
export const approval = {
  pending: 'Waiting for approval',
  rejected: 'Not approved',
  approved: 'Approved',
  'organization.pending.text':
    'An operator looks at new organizations here, and you will get an email. Until then, you can edit its details, but not register apps or invite members.',
  'organization.rejected.text':
    'An operator did not approve this organization. You can change its details and ask again, or delete it.',
  'app.pending.text':
    'An operator looks at new apps here, and you will get an email. Until then, you can set everything up, but people can’t sign in.',
  'app.rejected.text': 'An operator did not approve this app. You can change it and ask again, or delete it.',
  reason: 'Reason: {reason}',
  ask: 'Ask again',
  asked: 'The operators will look at it again.',
  decide: 'Decide',
  'decide.title': 'Approve {name}?',
  'decide.text': 'Whoever asked reads your decision in an email.',
  decision: 'Approval',
  'decision.approve': 'Approve',
  'decision.reject': 'Do not approve',
  given_reason: 'Reason, if you do not approve',
  'given_reason.hint': 'Optional. It stands in the email.',
  asked_at: 'Asked: {when}',
  waiting: 'Waiting for approval',
  'waiting.organizations': '{count, plural, one {# organization} other {# organizations}}',
  'waiting.apps': '{count, plural, one {# app} other {# apps}}',
  'waiting.count': '{count, plural, one {# waits for approval} other {# wait for approval}}',
} as const
