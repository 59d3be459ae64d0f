import type { Branding, BrandingSettings } from '@vrata/contract/branding'
import * as branding from '@vrata/contract/branding'
import { LOCALES, type Locale } from '@vrata/contract/locales'
import { useState } from 'react'
import { callQuery } from '../../lib/api/call-query.ts'
import { constraintsOf } from '../../lib/api/constraints.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { TextField } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { WithAside } from '../../ui/layout/with-aside.tsx'
import { AccentField } from './accent-field.tsx'
import { BrandPictures } from './brand-pictures.tsx'
import { Preview, type Shown } from './preview.tsx'
import { SaveBar } from './save-bar.tsx'
import { TextsField } from './texts-field.tsx'
import { useDraft } from './use-draft.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

type LineField = 'name' | 'support_url' | 'imprint_url' | 'mail_from_name'

/** The settings beside a preview of them; without the role of an administrator they are read only. */
export function BrandingForm({ saved }: { saved: Branding }) {
  const { t, format, locale } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const readOnly = useUser().operator_role !== 'admin'
  const { draft, changes, dirty, change, changeText, settle, discard } = useDraft(saved)
  const [shown, setShown] = useState<Shown>({ screen: 'sign_in', locale })
  useLeaveGuard(dirty)

  /** The preview follows the field that is being edited. */
  const show = (screen: Shown['screen'], locale?: Locale) =>
    setShown((before) => ({ screen, locale: locale ?? before.locale }))
  const keep = (answer: Branding) =>
    context.queries.setQueryData(callQuery(context, branding.getBranding, {}).queryKey, answer)

  async function save() {
    if (!dirty) return undefined
    const answer = await context.api(branding.updateBranding, changes)
    if (answer.ok) {
      keep(answer.data)
      settle()
      toast(t('branding.saved'))
      return undefined
    }
    const { fields, ...errors } = formErrors(answer)
    const wrong = Object.keys(fields ?? {}).map((field) => [field, t('branding.url.invalid')])
    return {
      ...errors,
      fields: { ...fields, ...Object.fromEntries(wrong.filter(([field]) => field?.endsWith('_url'))) },
    }
  }

  function line(field: LineField, hint?: string) {
    const { type: _, required: __, minLength: ___, ...constraints } = constraintsOf(branding.updateBranding, field)
    return {
      name: field,
      label: t(`branding.${field}`),
      value: draft[field] ?? '',
      onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => change(field, currentTarget.value),
      readOnly,
      autoComplete: 'off',
      ...(hint ? { hint } : {}),
      ...constraints,
    }
  }

  function offer(one: Locale, on: boolean) {
    const languages = LOCALES.filter((other) => (other === one ? on : draft.languages.includes(other)))
    change('languages', languages)
    const [first] = languages
    if (first && !languages.includes(draft.default_language)) change('default_language', first)
  }

  const languageOf = (one: Locale) => format.language(one.slice(0, 2))
  const texts = { draft, readOnly, onChange: changeText }
  return (
    <WithAside aside={<Preview draft={draft} shown={shown} onShow={setShown} />}>
      <Form onSubmit={save} aria-label={t('branding.title')} className="gap-6" noValidate={readOnly}>
        {readOnly && <p className="text-muted">{t('branding.read_only')}</p>}
        <Card aria-labelledby="identity">
          <CardHead id="identity" title={t('branding.identity')} />
          <CardBody className="space-y-5 pt-2">
            <TextField {...line('name', t('branding.name.hint'))} />
            <AccentField
              accent={draft.accent}
              readOnly={readOnly}
              onChange={(accent) => change('accent', accent)}
              preview={draft}
            />
          </CardBody>
        </Card>
        <BrandPictures branding={saved} readOnly={readOnly} onSaved={keep} />
        <Card aria-labelledby="sign-in-text">
          <CardHead id="sign-in-text" title={t('branding.sign_in')} text={t('branding.sign_in.text')} />
          <CardBody className="space-y-5 pt-2">
            <TextsField field="sign_in_text" onFocus={(one) => show('sign_in', one)} {...texts} />
          </CardBody>
        </Card>
        <Card aria-labelledby="links">
          <CardHead id="links" title={t('branding.links')} text={t('branding.links.text')} />
          <CardBody className="space-y-5 pt-2">
            <TextField
              {...line('support_url', t('branding.url.hint'))}
              inputMode="url"
              onFocus={() => show('sign_in')}
            />
            <TextField
              {...line('imprint_url', t('branding.url.hint'))}
              inputMode="url"
              onFocus={() => show('sign_in')}
            />
          </CardBody>
        </Card>
        <Card aria-labelledby="mails">
          <CardHead id="mails" title={t('branding.mails')} text={t('branding.mails.text')} />
          <CardBody className="space-y-5 pt-2">
            <TextField {...line('mail_from_name', t('branding.mail_from_name.hint'))} onFocus={() => show('mail')} />
            <TextsField field="mail_footer" onFocus={(one) => show('mail', one)} {...texts} />
          </CardBody>
        </Card>
        <Card aria-labelledby="languages">
          <CardHead id="languages" title={t('branding.languages')} text={t('branding.languages.text')} />
          <div className="divide-y divide-line">
            {LOCALES.map((one) => (
              <Switch
                key={one}
                label={languageOf(one)}
                checked={draft.languages.includes(one)}
                disabled={readOnly || (draft.languages.length === 1 && draft.languages.includes(one))}
                onChange={({ target }) => offer(one, target.checked)}
              />
            ))}
          </div>
          <CardBody className="border-t border-line">
            <SelectField
              name="default_language"
              label={t('branding.default_language')}
              hint={t('branding.default_language.hint')}
              value={draft.default_language}
              disabled={readOnly}
              onChange={({ currentTarget: { value } }) =>
                change('default_language', value as BrandingSettings['default_language'])
              }
            >
              {draft.languages.map((one) => (
                <option key={one} value={one}>
                  {languageOf(one)}
                </option>
              ))}
            </SelectField>
          </CardBody>
        </Card>
        {!readOnly && <SaveBar dirty={dirty} onDiscard={discard} />}
      </Form>
    </WithAside>
  )
}
