import { Row, Rows } from '../layout/row.tsx'
import { Picture } from './picture.tsx'

export type DeveloperRow = { developer_id: string; name: string; logo: string | null; text: string; href: string }

/** Developer accounts of a user, each row a link. */
export function DeveloperRows({ accounts }: { accounts: readonly DeveloperRow[] }) {
  return (
    <Rows>
      {accounts.map(({ developer_id, name, logo, text, href }) => (
        <Row
          key={developer_id}
          picture={<Picture kind="developer" url={logo} name={name} />}
          label={name}
          text={text}
          href={href}
        />
      ))}
    </Rows>
  )
}
