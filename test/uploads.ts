// Uploads: files as a browser sends them, together with the other fields.

/** What a test passes where the contract has a file. */
export interface TestFile {
  name: string
  content: Buffer | string
}
export const aFile = (name: string, content: Buffer | string): TestFile => ({ name, content })

const isFile = (value: unknown): value is TestFile => typeof value === 'object' && value !== null && 'content' in value

/** The fields as multipart/form-data, like the web app: a list as `name[]`, an object as JSON, empty and null values as nothing. */
export function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  const add = (name: string, value: unknown) => {
    if (isFile(value)) form.append(name, new Blob([Buffer.from(value.content)]), value.name)
    else if (typeof value === 'object' && value !== null) form.append(name, JSON.stringify(value))
    else if (value !== undefined) form.append(name, value === null ? '' : String(value))
  }
  for (const [name, value] of Object.entries(fields)) {
    if (!Array.isArray(value)) add(name, value)
    else if (value.length === 0) add(name, null)
    else for (const one of value as unknown[]) add(isFile(one) ? name : `${name}[]`, one)
  }
  return form
}

/** The form as bytes, with its content type, for requests that are not made by `fetch`. */
export async function bytesOf(form: FormData): Promise<{ type: string; bytes: Buffer }> {
  const response = new Response(form)
  return { type: response.headers.get('content-type') ?? '', bytes: Buffer.from(await response.arrayBuffer()) }
}
