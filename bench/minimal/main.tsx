// Minimal: the smallest React page that shows the first rows of the accounts: one request, one plain table. The baseline that the
// first list of the web app is compared with.
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { list } from '#contract/accounts.ts'
import type { RowOf } from '#contract/endpoint.ts'

type Account = RowOf<typeof list>

async function fetchRows(): Promise<Account[]> {
  const response = await fetch('/api/v1/accounts', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'App-Context': 'customer',
      Authorization: `Bearer ${sessionStorage.getItem('foyer-session')}`,
    },
    body: '{}',
  })
  return ((await response.json()) as { data: Account[] }).data
}

function Accounts() {
  const [rows, setRows] = useState<Account[]>([])
  useEffect(() => void fetchRows().then(setRows), [])
  return (
    <table>
      <thead>
        <tr>
          {['Name', 'Room', 'Property', 'Package', 'Last seen', 'Expires', 'Status'].map((title) => (
            <th key={title}>{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>{row.name}</td>
            <td>{row.room?.name}</td>
            <td>{row.property.name}</td>
            <td>{row.package?.name}</td>
            <td>{row.logged_in_at}</td>
            <td>{row.expires_at}</td>
            <td>{row.status}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<Accounts />)
