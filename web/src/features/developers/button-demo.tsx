import { useEffect, useRef } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'

/** The script that every server delivers to other websites (package `sign-in`). */
const SCRIPT = '/sign-in.js'
type SignInScript = {
  signInButton(
    options: Record<'issuer' | 'client_id' | 'locale', string> & { onSuccess(): void; onError(): void },
  ): Node
}

/** The button that websites show. A press says what happens there: without an app there is nothing to sign in to. */
export function ButtonDemo() {
  const { t, locale } = useI18n()
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let left = false
    const load = import(/* @vite-ignore */ SCRIPT) as Promise<SignInScript>
    // The page says what it has to say without the button, too.
    load.then(
      ({ signInButton }) => {
        const nothing = () => {}
        const button = signInButton({ issuer: '', client_id: '', locale, onSuccess: nothing, onError: nothing })
        if (!left) place.current?.replaceChildren(button)
      },
      () => {},
    )
    return () => {
      left = true
    }
  }, [locale])

  return (
    <Card aria-labelledby="button">
      <CardHead id="button" title={t('developers.intro.button')} text={t('developers.intro.button_text')} />
      <CardBody className="pt-0">
        <div
          ref={place}
          className="min-h-11"
          onClickCapture={(event) => {
            event.stopPropagation()
            toast(t('developers.intro.button_pressed'))
          }}
        />
      </CardBody>
    </Card>
  )
}
