import type { Boot } from '@vrata/contract'
import { ClientPolicies } from '../../lib/client-policies.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Picture } from '../../ui/identity/picture.tsx'

type App = NonNullable<Boot['continue_to']>

/** Logo, name and policies of the app that requested the sign-in. */
export function RequestingApp({ app }: { app: App }) {
  const { rich } = useI18n()
  return (
    <span className="flex items-center gap-3">
      <span data-app="icon" className="flex">
        <Picture kind="app" url={app.icon} name={app.name} size={40} />
      </span>
      <span className="min-w-0">
        {rich('sign-in.signin.to_app', { app: <b className="font-semibold text-ink">{app.name}</b> })}
        <ClientPolicies client={app} className="text-small" />
      </span>
    </span>
  )
}

/**
 * Without script the server fills the app in, where it names it at all (`server/src/http/pages/html-document.ts`). Browsers
 * with script render nothing here, so it is not in their bundle.
 */
export function RequestingAppWithoutScript() {
  return (
    <noscript data-requesting-app="">
      {import.meta.env.SSR && (
        <span className="mt-2 block">
          <RequestingApp
            app={{
              name: '{name}',
              icon: '/{icon}',
              privacy_policy_url: '{privacy_policy_url}',
              terms_of_service_url: '{terms_of_service_url}',
            }}
          />
        </span>
      )}
    </noscript>
  )
}
