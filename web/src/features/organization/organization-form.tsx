import { developers } from '@vrata/contract'
import type { Developer } from '@vrata/contract/developers'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { MultilineField, TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { toast } from '../../ui/toast.ts'
import { keepOrganization } from './data.ts'
import { LogoField } from './logo-field.tsx'

const FIELDS = ['name', 'website', 'company', 'description'] as const
type FieldName = (typeof FIELDS)[number]

/** Name, logo and details; only what was changed is sent, so that two people may edit at once. */
export function OrganizationForm({ developer }: { developer: Developer }) {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()

  function field(name: FieldName) {
    const { type: _, ...constraints } = constraintsOf(developers.updateDeveloper, name)
    return {
      name,
      label: t(`organization.${name}`),
      defaultValue: developer[name] ?? '',
      autoComplete: 'off',
      ...(name === 'name' ? {} : { optional: t('organization.optional') }),
      ...constraints,
    }
  }

  async function save(values: Record<string, string>) {
    const changed = FIELDS.filter((name) => (values[name]?.trim() ?? '') !== (developer[name] ?? ''))
    const changes = Object.fromEntries(changed.map((name) => [name, values[name]?.trim() || null]))
    const answer = await wires.api(developers.updateDeveloper, changes)
    if (!answer.ok) return refusal(answer)
    keepOrganization(wires, answer.data)
    toast(t('organization.saved'))
  }

  return (
    <Card aria-labelledby="organization">
      <CardHead id="organization" title={t('organization.title')} text={t('organization.text')} />
      <CardBody className="space-y-6 pt-2">
        <LogoField developer={developer} />
        <Form onSubmit={save}>
          <TextField {...field('name')} required />
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField {...field('website')} type="url" placeholder="https://" />
            <TextField {...field('company')} hint={t('organization.company_hint')} />
          </div>
          <MultilineField {...field('description')} rows={3} />
          <Submit>{t('ui.save')}</Submit>
        </Form>
      </CardBody>
    </Card>
  )
}

/** The same for those who may only look. */
export function Facts({ developer }: { developer: Developer }) {
  const { t } = useI18n()
  const level = t(`ui.level.${developers.updateDeveloper.needs}`)
  const none = t('organization.none')
  const { name, website, company, description } = developer
  return (
    <Card aria-labelledby="organization">
      <CardHead id="organization" title={t('organization.title')} text={t('organization.level', { level })} />
      <Rows>
        <Row key="name" label={t('organization.name')} value={name} long />
        <Row
          key="website"
          label={t('organization.website')}
          value={website ? <TextLink href={website}>{website}</TextLink> : none}
          long
        />
        <Row key="company" label={t('organization.company')} value={company ?? none} long />
        <Row key="description" label={t('organization.description')} text={description ?? none} />
      </Rows>
    </Card>
  )
}
