import type { CallOf } from '@vrata/contract'
import type { Policy } from '@vrata/contract/policy'
import * as policy from '@vrata/contract/policy'
import { callQuery } from '../../lib/api/call-query.ts'
import { changedFrom, mergedList } from '../../lib/api/changed-from.ts'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { dialogAfterWait } from '../../ui/dialog/dialog-after-wait.ts'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'
import type { SubmitErrors } from '../../ui/form/form.tsx'

export type NumberSetting =
  | 'password_min_length'
  | 'session_idle_days'
  | 'session_max_days'
  | 'activity_days'
  | 'audit_days'

const TERMS = ['terms_url', 'privacy_url', 'terms_version'] as const
/** Settings that can be empty: what is kept for so many days is then kept without an end. */
const ENDLESS = ['activity_days', 'audit_days'] as const
type EndlessSetting = (typeof ENDLESS)[number]
const isEndless = (setting: NumberSetting): setting is EndlessSetting => ENDLESS.some((one) => one === setting)
export type Limit = keyof Policy['limits']
type Way = 'password_sign_in' | 'passkey_sign_in' | 'qr_sign_in'
type Changes = CallOf<typeof policy.updatePolicy>

/** Settings about organizations and apps: their values with the phrase of each. */
const CREATIONS = {
  organization_creation: policy.ORGANIZATION_CREATIONS.map(
    (value) => [value, `policy.organization_creation.${value}`] as const,
  ),
  app_creation: policy.APP_CREATIONS.map((value) => [value, `policy.app_creation.${value}`] as const),
}

/** The dialogs that change settings of the policy, and what they save. */
export function usePolicyDialogs(now: Policy) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const errorText = useErrorText()
  const { queryKey } = callQuery(context, policy.getPolicy, {})
  const buttons = [{ label: t('ui.cancel') }, { label: t('policy.save') }]

  /** Another administrator may have changed the policy since a dialog was opened. */
  const latest = () => context.queries.getQueryData(queryKey) ?? now

  function showSaved(saved: Policy): undefined {
    context.queries.setQueryData(queryKey, saved)
    toast(t('policy.saved'))
  }

  async function save(changes: Changes, field?: string): Promise<SubmitErrors | undefined> {
    const answer = await context.api(policy.updatePolicy, changes)
    if (answer.ok) return showSaved(answer.data)
    // A setting is one field of a dialog, whatever part of it is wrong.
    const { fields, message } = formErrors(answer)
    const [error] = Object.values(fields ?? {})
    if (field && error) return { fields: { [field]: error } }
    return fields ? { fields } : { message: message ?? '' }
  }

  const askRegistration = () =>
    showDialog({
      title: t('policy.registration'),
      fields: [
        {
          kind: 'select',
          name: 'registration',
          label: t('policy.registration'),
          value: now.registration,
          options: policy.REGISTRATIONS.map((value) => ({ value, label: t(`policy.registration.${value}`) })),
        },
        {
          kind: 'multiline',
          name: 'domains',
          label: t('policy.domains'),
          hint: t('policy.domains.hint'),
          value: now.registration_domains.join('\n'),
          required: true,
          shownFor: { select: 'registration', value: 'domains' },
        },
      ],
      buttons,
      // The domains are kept for a later choice when another one is made.
      onSubmit({ registration, domains }) {
        const typed = domains?.split(/[\s,;]+/).filter(Boolean)
        const { registration_domains: opened } = now
        return save(
          {
            ...changedFrom(now, { registration: registration as policy.Registration }),
            ...(typed && { registration_domains: mergedList(opened, typed, latest().registration_domains) }),
          },
          'domains',
        )
      },
    })

  /** Each choice says in a sentence what it does. */
  const askChoice = (setting: keyof typeof CREATIONS) => {
    const options = CREATIONS[setting]
    return showDialog({
      title: t(`policy.${setting}`),
      fields: [
        {
          kind: 'select',
          name: setting,
          label: t(`policy.${setting}`),
          value: now[setting],
          options: options.map(([value, label]) => ({ value, label: t(label) })),
        },
      ],
      buttons,
      onSubmit: (values) => save({ [setting]: values[setting] }, setting),
    })
  }

  const askTerms = () =>
    showDialog({
      title: t('policy.terms'),
      fields: [
        { kind: 'text', type: 'url', name: 'terms_url', label: t('policy.terms_url'), value: now.terms_url ?? '' },
        {
          kind: 'text',
          type: 'url',
          name: 'privacy_url',
          label: t('policy.privacy_url'),
          value: now.privacy_url ?? '',
        },
        {
          kind: 'text',
          name: 'terms_version',
          label: t('policy.terms_version'),
          hint: t('policy.terms_version.hint'),
          value: now.terms_version ?? '',
        },
      ],
      buttons,
      onSubmit: (values) => {
        const [terms_url, privacy_url, terms_version] = TERMS.map((name) => values[name]?.trim() || null)
        return save(changedFrom(now, { terms_url, privacy_url, terms_version }))
      },
    })

  /** A stricter rule is saved after a question that names how many people have to set up a second factor. */
  const askFactor = () =>
    showDialog({
      title: t('policy.second_factor'),
      fields: [
        {
          kind: 'select',
          name: 'rule',
          label: t('policy.second_factor'),
          value: now.second_factor,
          options: policy.SECOND_FACTOR_RULES.map((value) => ({ value, label: t(`policy.second_factor.${value}`) })),
        },
      ],
      buttons,
      async onSubmit({ rule }) {
        const second_factor = rule as Policy['second_factor']
        const { SECOND_FACTOR_RULES: rules } = policy
        if (rules.indexOf(second_factor) <= rules.indexOf(latest().second_factor)) return await save({ second_factor })
        const askAgain = dialogAfterWait()
        const counted = await context.api(policy.countAffected, { second_factor })
        if (!counted.ok) return formErrors(counted)
        void askAgain({
          title: t('policy.second_factor.sure'),
          message: t('policy.second_factor.count', { people: counted.data.second_factor_setup }),
          buttons: [{ label: t('ui.cancel') }, { label: t('policy.require') }],
          onSubmit: () => save({ second_factor }),
        })
        return undefined
      },
    })

  const askForNumber = (
    title: string,
    { hint, value, required }: { hint?: string; value: string; required: boolean },
    changesOf: (typed: string) => Changes,
    isSure: (typed: string) => Promise<boolean> = async () => true,
  ) =>
    showDialog({
      title,
      fields: [
        {
          kind: 'text',
          name: 'value',
          label: title,
          pattern: '[0-9]*',
          invalid: t('policy.number'),
          value,
          required,
          ...(hint ? { hint } : {}),
        },
      ],
      buttons,
      async onSubmit({ value = '' }) {
        const typed = value.trim()
        return (await isSure(typed)) ? await save(changesOf(typed), 'value') : {}
      },
    })

  const askNumber = (setting: NumberSetting) => {
    const hint = t(`policy.${setting}.hint`)
    const required = !isEndless(setting)
    const value = String(now[setting] ?? '')
    return askForNumber(
      t(`policy.${setting}`),
      { hint, value, required },
      (typed) => ({ [setting]: typed === '' ? null : Number(typed) }),
      async (typed) => typed === '' || !isEndless(setting) || (await confirmDeletion(setting, Number(typed))),
    )
  }

  /** A shorter time deletes what is older: asks first. */
  async function confirmDeletion(setting: EndlessSetting, days: number): Promise<boolean> {
    if (days >= (latest()[setting] ?? Number.POSITIVE_INFINITY)) return true
    const sure = await showDialog({
      title: t('policy.shorter'),
      message: t(`policy.${setting}.shorter`, { days }),
      buttons: [{ label: t('ui.cancel') }, { label: t('policy.shorter_do') }],
      danger: true,
    })
    return sure !== null
  }

  const askLimit = (limit: Limit) =>
    askForNumber(t(`policy.limits.${limit}`), { value: String(now.limits[limit]), required: true }, (typed) => ({
      limits: { [limit]: Number(typed) },
    }))

  /** Turns a way to sign in on, or off after a question that names how many people it locks out. */
  async function setWay(way: Way, on: boolean): Promise<void> {
    if (on) {
      const answer = await context.api(policy.updatePolicy, { [way]: true })
      return answer.ok ? showSaved(answer.data) : toast(errorText(answer))
    }
    const ask = dialogAfterWait()
    const counted = way === 'qr_sign_in' ? undefined : await context.api(policy.countAffected, { [way]: 'false' })
    if (counted && !counted.ok) return toast(errorText(counted))
    const { people = 0, locked_out = 0 } = counted?.data ?? {}
    await ask({
      title: t(`policy.${way}.off`),
      message: counted ? t('policy.locked_out', { people, locked_out }) : t('policy.qr_sign_in.off_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('policy.turn_off') }],
      danger: locked_out > 0,
      onSubmit: () => save({ [way]: false }),
    })
  }

  return { askChoice, askRegistration, askFactor, askTerms, askNumber, askLimit, setWay }
}
