import type { ClientInfo } from '@vrata/contract/clients'
import { LIMITS } from '@vrata/contract/limits'
import { LOCALES, type Locale } from '@vrata/contract/locales'
import type { DefinedScope } from '@vrata/contract/scopes'
import * as scopes from '@vrata/contract/scopes'
import { changedFrom } from '../../lib/api/changed-from.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { SheetFoot } from '../../ui/dialog/sheet-foot.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TextField } from '../../ui/form/field.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { MultilineField } from '../../ui/form/multiline-field.tsx'
import { Checkbox } from '../../ui/form/switch.tsx'
import { definedScopes, invalidateScopes } from './queries.ts'
import { useLanguageName } from './use-language-name.ts'
import { useRemoveScope } from './use-remove-scope.tsx'

const PROBLEM_FIELDS = { prefix_taken: 'key', wrong_prefix: 'key' } as const

type ScopeEditorProps = { app: ClientInfo; scope: DefinedScope | undefined; onDone: () => void }

type TextName = `${'title' | 'description'}.${Locale}`
type ScopeFields = { [name in TextName]?: string } & Record<'sensitive' | 'required', boolean>

/** A scope as the fields of the editor. */
function fieldsOf({ title, description, sensitive, required }: DefinedScope): Required<ScopeFields> {
  const texts = LOCALES.flatMap((locale) => [
    [`title.${locale}`, title[locale] ?? ''],
    [`description.${locale}`, description[locale] ?? ''],
  ])
  return { ...Object.fromEntries(texts), sensitive, required }
}

/** Editor of one scope. What is not changed in it stays as others have left it. The key is immutable, because programs depend on it. */
export function ScopeEditor({ app, scope, onDone }: ScopeEditorProps) {
  const { t } = useI18n()
  const nameOf = useLanguageName()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const remove = useRemoveScope(app, onDone)
  const prefix = app.scope_prefix

  async function save(values: Record<string, string>) {
    const key = values.key ?? ''
    const defined = context.queries.getQueryData(definedScopes(context, app.client_id).queryKey)
    const now = defined?.find((one) => one.key === key)
    // The call would change it.
    if (now && !scope) return { fields: { key: t('problems.field.taken') } }
    const typed = { ...values, sensitive: 'sensitive' in values, required: 'required' in values }
    const before = scope && fieldsOf(scope)
    const next: ScopeFields = before ? { ...fieldsOf(now ?? scope), ...changedFrom(before, typed) } : typed
    const texts = (part: 'title' | 'description') =>
      Object.fromEntries(LOCALES.map((locale) => [locale, next[`${part}.${locale}`] ?? '']))
    const { sensitive, required } = next
    const answer = await context.api(scopes.defineScope, {
      id: app.client_id,
      key,
      title: texts('title'),
      description: texts('description'),
      sensitive,
      required,
    })
    if (!answer.ok) {
      const { fields: { title, ...fields } = {}, ...rest } = formErrors(answer, PROBLEM_FIELDS)
      // One title is enough, so the error is shown on the first.
      return { ...rest, fields: { ...fields, ...(title && { [`title.${LOCALES[0]}`]: title }) } }
    }
    await invalidateScopes(context)
    toast(t('scopes.edit.saved'))
    onDone()
  }

  return (
    <Form className="mt-6" onSubmit={save}>
      <TextField
        name="key"
        label={t('scopes.edit.key')}
        hint={scope ? undefined : prefix ? t('scopes.edit.key_next', { prefix }) : t('scopes.edit.key_first')}
        defaultValue={scope?.key ?? (prefix ? `${prefix}.` : '')}
        readOnly={scope !== undefined}
        required
        maxLength={100}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <p className="text-muted">{t('scopes.edit.texts')}</p>
      {LOCALES.map((locale, index) => (
        <fieldset key={locale} className="min-w-0 space-y-4 rounded-control border border-line px-4 pt-2 pb-4">
          <legend className="px-1.5 font-semibold">{nameOf(locale)}</legend>
          <TextField
            name={`title.${locale}`}
            label={t('scopes.edit.title')}
            hint={index === 0 && !scope ? t('scopes.edit.title_hint') : undefined}
            defaultValue={scope?.title[locale]}
            maxLength={LIMITS.scope_title_max}
            lang={locale}
            autoComplete="off"
          />
          <MultilineField
            name={`description.${locale}`}
            label={t('scopes.edit.description')}
            optional={t('menu.optional')}
            defaultValue={scope?.description[locale]}
            maxLength={LIMITS.scope_description_max}
            lang={locale}
            rows={2}
          />
        </fieldset>
      ))}
      <div>
        <Checkbox
          name="sensitive"
          label={t('scopes.edit.sensitive')}
          text={t('scopes.edit.sensitive_text')}
          defaultChecked={scope?.sensitive}
        />
        <Checkbox
          name="required"
          label={t('scopes.edit.required')}
          text={t('scopes.edit.required_text')}
          defaultChecked={scope?.required}
        />
      </div>
      {scope && (
        <Button look="ghost" className="sm:self-start" onClick={() => void remove(scope.key)}>
          {t('scopes.edit.delete')}
        </Button>
      )}
      <SheetFoot>
        <Button onClick={onDone}>{t('ui.cancel')}</Button>
        <Submit>{t('scopes.edit.save')}</Submit>
      </SheetFoot>
    </Form>
  )
}
