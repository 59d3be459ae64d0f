import { type ReactNode, useState } from 'react'
import { Button, ButtonLink, IconButton } from '../button.tsx'
import { CopyButton } from '../content/copy-button.tsx'
import { Time } from '../content/time.tsx'
import { showDialog } from '../dialog/show-dialog.ts'
import { Badge } from '../feedback/badge.tsx'
import { EmptyState } from '../feedback/empty-state.tsx'
import { ErrorState } from '../feedback/error-state.tsx'
import { SkeletonRows } from '../feedback/skeleton.tsx'
import { toast } from '../feedback/toast.ts'
import { TextField } from '../form/field.tsx'
import { Form, Submit } from '../form/form.tsx'
import { MultilineField } from '../form/multiline-field.tsx'
import { PasswordField } from '../form/password/password-field.tsx'
import { PasswordMeter } from '../form/password/password-meter.tsx'
import { SelectField } from '../form/select-field.tsx'
import { Checkbox, Switch } from '../form/switch.tsx'
import * as outer from '../icons/icons.tsx'
import * as inner from '../icons/signed-in-icons.tsx'
import { Wordmark } from '../icons/wordmark.tsx'
import { AccountCard, DeveloperCard } from '../identity/account-card.tsx'
import { AppTile } from '../identity/app-tile.tsx'
import { Picture } from '../identity/picture.tsx'
import { Card, CardBody, CardHead } from '../layout/card.tsx'
import { PageHead } from '../layout/page-head.tsx'
import { Row, Rows } from '../layout/row.tsx'
import { LanguageSelect } from '../navigation/language-select.tsx'
import { TextLink } from '../navigation/link.tsx'
import { Tabs } from '../navigation/tabs.tsx'
import { ThemeSwitch } from '../navigation/theme-switch.tsx'
import { ana, studio } from './words.ts'

const icons = { ...outer, ...inner }

/** Every component in its states. */
export function Parts() {
  return (
    <main className="mx-auto max-w-240 space-y-6 px-4 py-10">
      <Wordmark />
      <PageHead title="Parts" text="Everything pages are composed of." badge={<Badge look="on">Living</Badge>} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Buttons />
        <Identity />
        <Fields />
        <Lists />
        <Dialogs />
        <States />
      </div>
    </main>
  )
}

function Shelf({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <CardHead title={title} />
      <CardBody className="space-y-5">{children}</CardBody>
    </Card>
  )
}

function Buttons() {
  return (
    <Shelf title="Buttons and signs">
      <div className="flex flex-wrap gap-3">
        <Button look="primary">Save</Button>
        <Button>Cancel</Button>
        <Button look="ghost">Forgot it</Button>
        <Button look="danger">Delete app</Button>
        <Button look="primary" busy>
          Signing in
        </Button>
        <Button size="small">Small</Button>
        <ButtonLink href="#here">A link</ButtonLink>
        <IconButton label="Search">
          <icons.SearchIcon />
        </IconButton>
        <CopyButton text="vrt_9f2k7c1m4x8q" what="Client ID" />
      </div>
      <div className="flex flex-wrap gap-2">
        <Badge look="on">Enabled</Badge>
        <Badge look="off">Disabled</Badge>
        <Badge look="accent">New</Badge>
        <Badge look="danger">Failed</Badge>
      </div>
      <div className="flex flex-wrap gap-3 text-muted">
        {Object.entries(icons).map(([name, Sign]) => (
          <Sign key={name} size={24} />
        ))}
      </div>
      <p>
        Words with a <TextLink href="#here">link inside</TextLink>, last changed{' '}
        <Time at="2026-11-21T08:00:00Z" words="2 hours ago" exact="21 November 2026 at 09:00" />.
      </p>
    </Shelf>
  )
}

function Identity() {
  const [theme, setTheme] = useState<'device' | 'light' | 'dark'>('device')
  return (
    <Shelf title="People, organizations, apps">
      <div className="flex flex-wrap items-end gap-3">
        <Picture kind="user" url={null} name="Ana Kovač" size={72} />
        <Picture kind="developer" url={null} name="Kraški studio" size={72} />
        <Picture kind="app" url={null} name="Jadrolet" size={72} />
        <Picture kind="user" url="missing.webp" name="" size={56} />
        <Picture kind="developer" url={null} name="" size={56} />
        <Picture kind="app" url={null} name="" size={56} />
      </div>
      <AccountCard account={ana} active />
      <AccountCard account={ana} end={<icons.ChevronDownIcon size={18} />} />
      <DeveloperCard developer={studio} level="Owner" />
      <AppTile
        app={{ name: 'Jadrolet', icon: null }}
        line="3 people"
        badge={<Badge look="off">Disabled</Badge>}
        href="#app"
      />
      <div className="flex flex-wrap items-center gap-4">
        <LanguageSelect
          label="Language"
          value="sl-SI"
          options={[
            { value: 'en-US', label: 'English' },
            { value: 'sl-SI', label: 'Slovenščina' },
          ]}
          onChange={() => undefined}
        />
        <ThemeSwitch
          label="Theme"
          names={{ device: 'Device', light: 'Light', dark: 'Dark' }}
          value={theme}
          onChange={setTheme}
        />
      </div>
    </Shelf>
  )
}

function Fields() {
  const [password, setPassword] = useState('correct hor')
  return (
    <Shelf title="Form">
      <Form
        onSubmit={async () => ({
          fields: { email: 'Email already exists.' },
          message: 'Email or password is wrong. Check both and try again.',
        })}
      >
        <TextField name="email" label="Email" type="email" required hint="We write only when it matters." />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="new-password"
          minLength={12}
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          meter={(id) => <PasswordMeter id={id} password={password} minimum={12} verdict={{ weakness: undefined }} />}
        />
        <SelectField name="country" label="Country" optional="optional">
          <option>Slovenija</option>
          <option>Hrvatska</option>
        </SelectField>
        <MultilineField
          name="description"
          label="Description"
          placeholder="One or two sentences"
          error="Enter at least 10 characters."
        />
        <TextField name="owner" label="Owner" defaultValue="Kraški studio" readOnly />
        <Checkbox name="saved" label="I have saved the codes" text="You cannot see them again." />
        <Submit>Save</Submit>
      </Form>
    </Shelf>
  )
}

function Lists() {
  return (
    <Card>
      <CardHead title="Rows and tabs" text="Label, value, chevron." action={<Button size="small">Add</Button>} />
      <div className="px-6">
        <Tabs
          label="Sections"
          current="#details"
          tabs={[
            { href: '#details', label: 'Details' },
            { href: '#development', label: 'Development' },
            { href: '#quick', label: 'Quick start' },
          ]}
        />
      </div>
      <Rows>
        <Row icon={icons.KeyIcon} label="Two-step sign-in" value="Turn on" href="#otp" />
        <Row
          icon={icons.MailIcon}
          label="Email"
          text="Only you"
          value="ana.kovac@example.com"
          onClick={() => undefined}
        />
        <Row
          icon={icons.LaptopIcon}
          label="Firefox, Linux"
          text="Ljubljana"
          action={<Button size="small">Sign out</Button>}
        />
        <Switch label="Require PKCE" text="Recommended for every app." defaultChecked />
        <Switch label="Popup" text="Only for apps that open one." />
      </Rows>
    </Card>
  )
}

function Dialogs() {
  const fields = [
    {
      kind: 'text',
      name: 'name',
      label: 'Name',
      required: true,
      hint: 'People see the name and icon on the consent screen.',
    },
    { kind: 'multiline', name: 'description', label: 'Description' },
    {
      kind: 'list',
      name: 'country',
      label: 'Country',
      options: ['Hrvatska', 'Slovenija', 'United States'].map((label) => ({ value: label, label })),
    },
    { kind: 'datalist', name: 'home', label: 'Home page', options: ['https://jadrolet.example'] },
    { kind: 'disabled', name: 'owner', label: 'Owner', value: 'Kraški studio' },
    { kind: 'description', text: 'Nothing is published yet.' },
  ] as const
  const register = () =>
    showDialog({
      title: 'Register an app',
      message: 'You can change everything later.',
      fields,
      buttons: [{ label: 'Cancel' }, { label: 'Save' }],
    })
  const remove = () =>
    showDialog({
      title: 'Delete Jadrolet?',
      message: '128 people will no longer be able to sign in. This can’t be undone.',
      danger: true,
      fields: [
        {
          kind: 'text',
          name: 'name',
          label: 'Type Jadrolet to confirm',
          exactly: 'Jadrolet',
          required: true,
          invalid: 'Type Jadrolet.',
        },
      ],
      buttons: [{ label: 'Cancel' }, { label: 'Delete app' }],
    })
  return (
    <Shelf title="Dialogs and toasts">
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => void register().then((answer) => answer && toast(`Saved ${answer.values.name}`))}>
          Register
        </Button>
        <Button onClick={() => void remove()}>Delete</Button>
        <Button onClick={() => toast('Saved.', { label: 'Undo', run: () => undefined })}>Toast</Button>
      </div>
    </Shelf>
  )
}

function States() {
  return (
    <Card>
      <CardHead title="States" />
      <SkeletonRows label="Loading" />
      <EmptyState text="Apps you allow will be listed here." action={<Button>Learn more</Button>} />
      <ErrorState
        title="Something went wrong"
        text="The list did not arrive."
        onRetry={() => undefined}
        code="01JD8QW2"
      />
    </Card>
  )
}
