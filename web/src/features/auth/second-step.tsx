import { auth } from '@vrata/contract'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/code-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { Notice } from './notice.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { useSignedIn } from './use-signed-in.ts'

/** After the password: a code of the app, or a backup code; a passkey stands for both steps. */
export function SecondStep({ onExpired }: { onExpired: (sentence: string) => void }) {
  const { t } = useI18n()
  const { api } = useWires()
  const { refusal, sentence } = useRefusal()
  const signedIn = useSignedIn()
  const [backup, setBackup] = useState(false)
  const [failed, setFailed] = useState<string>()

  async function send({ otp_token = '', recovery_code = '' }: Record<string, string>) {
    const answer = await api(auth.loginOtp, backup ? { recovery_code } : { otp_token })
    if (answer.ok) return void (await signedIn(answer.data))
    if (answer.problem.code === 'sign_in_expired') return void onExpired(sentence(answer))
    return refusal(answer, { invalid_otp: backup ? 'recovery_code' : 'otp_token' })
  }

  return (
    <>
      {failed && <Notice>{failed}</Notice>}
      <Form key={String(backup)} onSubmit={send}>
        {backup ? (
          <TextField
            name="recovery_code"
            label={t('proof.backup')}
            hint={t('proof.backup_hint')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
          />
        ) : (
          <CodeField
            name="otp_token"
            label={t('proof.code')}
            hint={t('proof.code_hint')}
            invalid={t('proof.code_invalid')}
            autoFocus
          />
        )}
        <Submit wide>{t('proof.step.do')}</Submit>
      </Form>
      <div className="mt-3 flex flex-col gap-3">
        <Button wide onClick={() => setBackup(!backup)}>
          {t(backup ? 'proof.use_app' : 'proof.use_backup')}
        </Button>
        <PasskeyButton label={t('proof.use_passkey')} onFailed={setFailed} />
      </div>
    </>
  )
}
