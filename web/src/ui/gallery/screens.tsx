import { Button } from '../button.tsx'
import { CopyButton } from '../content/copy-button.tsx'
import { Badge } from '../feedback/badge.tsx'
import { TextField } from '../form/field.tsx'
import { Form, Submit } from '../form/form.tsx'
import { PasswordField } from '../form/password/password-field.tsx'
import { Switch } from '../form/switch.tsx'
import * as outer from '../icons/icons.tsx'
import * as inner from '../icons/signed-in-icons.tsx'
import { AccountCard } from '../identity/account-card.tsx'
import { LinkTile } from '../identity/app-tile.tsx'
import { Picture } from '../identity/picture.tsx'
import { AttentionCard, Card, CardBody, CardHead } from '../layout/card.tsx'
import { Doorway } from '../layout/doorway.tsx'
import { PageHead } from '../layout/page-head.tsx'
import { PublicCard } from '../layout/public-card.tsx'
import { Row, Rows } from '../layout/row.tsx'
import { WithAside } from '../layout/with-aside.tsx'
import { TextLink } from '../navigation/link.tsx'
import { Tabs } from '../navigation/tabs.tsx'
import { ana } from './words.ts'

const icons = { ...outer, ...inner }

/** Mock 1: sign-in. */
export function LoginScreen() {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-20 sm:justify-center sm:pt-0">
      <PublicCard
        title="Sign in"
        text="Use your Vrata account to continue."
        aside={
          <Doorway>
            <div className="size-44 rounded-control bg-white p-4 shadow-popup" />
            <p className="mt-6 text-lead font-semibold">Sign in with your phone</p>
            <p className="mt-1">Scan the code with a phone where you are already signed in, then approve.</p>
            <p className="mt-3 text-small text-on-light-muted">A new code in 60 seconds</p>
          </Doorway>
        }
      >
        <Form onSubmit={async () => ({ message: 'Email or password is wrong. Check both and try again.' })}>
          <TextField name="email" label="Email" type="email" required autoComplete="username" />
          <PasswordField name="password" label="Password" required autoComplete="current-password" />
          <Submit wide>Sign in</Submit>
          <div className="flex flex-wrap justify-between gap-x-6 gap-y-2 text-muted">
            <TextLink href="#forgot">Forgot password?</TextLink>
            <span>
              New here? <TextLink href="#new">Create an account</TextLink>
            </span>
          </div>
        </Form>
      </PublicCard>
    </main>
  )
}

/** Mock 3, left: consent, in Slovenian for its longer words. */
export function ConsentScreen() {
  return (
    <main className="flex flex-col items-center px-4 py-8">
      <PublicCard
        foot={
          <>
            <Button>Prekliči</Button>
            <Button look="primary">Dovoli</Button>
          </>
        }
      >
        <div className="flex items-center justify-center gap-4">
          <Picture kind="app" url={null} name="Jadrolet" size={72} />
          <Picture kind="user" url={null} name="Ana Kovač" size={72} />
        </div>
        <h1 className="mt-6 text-center text-head">Aplikacija Jadrolet želi uporabljati vaš račun Vrata</h1>
        <p className="mt-2 mb-6 text-center text-muted">Nadaljevali boste na jadrolet.example</p>
        <AccountCard account={ana} end={<icons.ChevronDownIcon size={18} />} />
        <h2 className="mt-6 mb-2 text-base">Aplikaciji boste dovolili 3 stvari</h2>
        <div className="-mx-6 border-y border-line sm:-mx-10">
          <Rows>
            <Row icon={icons.PersonIcon} label="Vidi vaše ime in sliko" />
            <Row icon={icons.MailIcon} label="Vidi vaš e-naslov" action={<Badge look="accent">Novo</Badge>} />
            <Row
              icon={icons.TicketIcon}
              label="Dodaja vozovnice v vaš račun"
              action={<Badge look="accent">Novo</Badge>}
            />
          </Rows>
        </div>
        <p className="mt-5 text-muted">Dovoljenje lahko kadar koli prekličete med povezanimi aplikacijami.</p>
      </PublicCard>
    </main>
  )
}

/** Mock 2: home. */
export function HomeScreen() {
  return (
    <main className="mx-auto max-w-180 space-y-6 px-4 py-10">
      <PageHead
        picture={<Picture kind="user" url={null} name="Ana Kovač" size={72} />}
        title="Pozdravljeni, Ana"
        text="Upravljajte podatke, zasebnost in varnost."
      />
      <AttentionCard
        icon={<icons.KeyIcon size={24} />}
        title="Varnostni pregled"
        text="2 stvari potrebujeta vašo pozornost."
        action={<Button look="primary">Preglej</Button>}
      >
        <Rows>
          <Row icon={icons.KeyIcon} label="Prijava v dveh korakih" value="Vklopi" href="#otp" />
          <Row icon={icons.DevicesIcon} label="Prijavljeni ste na 3 napravah" value="Preglej" href="#devices" />
        </Rows>
      </AttentionCard>
      <div className="grid gap-4 sm:grid-cols-3">
        <LinkTile icon={<icons.PersonIcon />} title="Vaši podatki" text="Ime, slika, jezik" href="#info" />
        <LinkTile icon={<icons.EyeIcon />} title="Zasebnost" text="Dejavnost in podatki" href="#privacy" />
        <LinkTile icon={<icons.AppsIcon />} title="Povezane aplikacije" text="Dostop imajo 4 aplikacije" href="#apps" />
      </div>
      <Card>
        <CardHead title="Nedavna dejavnost" />
        <Rows>
          <Row icon={icons.LaptopIcon} label="Prijava v brskalniku Firefox" value="pred 2 urama" />
          <Row icon={icons.KeyIcon} label="Sprememba gesla" value="pred 3 meseci" />
        </Rows>
      </Card>
    </main>
  )
}

/** Mock 4: app of a developer. */
export function AppScreen() {
  return (
    <main className="max-w-350 space-y-6 px-4 py-10 lg:ml-70">
      <PageHead
        picture={<Picture kind="app" url={null} name="Jadrolet" size={56} />}
        title="Jadrolet"
        badge={<Badge look="on">Enabled</Badge>}
        text="Web"
      />
      <Tabs
        label="App"
        current="#details"
        tabs={['Details', 'Development', 'Quick start', 'Scopes'].map((label) => ({
          href: `#${label.toLowerCase()}`,
          label,
        }))}
      />
      <WithAside
        aside={
          <Doorway
            variant="page"
            head={
              <>
                <p className="font-semibold">What people will see</p>
                <p className="text-small">Changes as you type.</p>
              </>
            }
          >
            <Picture kind="app" url={null} name="Jadrolet" size={56} />
            <p className="mt-4 text-lead font-semibold">Jadrolet wants to use your Vrata account</p>
            <p className="mt-1 text-small text-muted">You will go to jadrolet.example</p>
          </Doorway>
        }
      >
        <Card>
          <CardBody>
            <Form onSubmit={async () => undefined}>
              <TextField name="name" label="Name" defaultValue="Jadrolet" />
              <div className="grid gap-5 sm:grid-cols-2">
                <TextField name="home" label="Home page" defaultValue="https://jadrolet.example" />
                <TextField name="privacy" label="Privacy policy" defaultValue="https://jadrolet.example/privacy" />
              </div>
            </Form>
          </CardBody>
        </Card>
        <Card>
          <CardHead title="Credentials" />
          <Rows>
            <Row
              label="Client ID"
              text={<code className="font-mono text-base">vrt_9f2k7c1m4x8q</code>}
              action={<CopyButton text="x" what="Client ID" />}
            />
            <Switch label="Require client secret at the token endpoint" text="Must stay on while PKCE is off." />
          </Rows>
        </Card>
      </WithAside>
    </main>
  )
}
