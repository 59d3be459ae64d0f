import { cookies } from 'next/headers'

export default async function Page() {
  const name = (await cookies()).get('name')?.value
  return name ? <h1>{`Hello, ${name}`}</h1> : <a href="/sign-in">Sign in with Vrata</a>
}
