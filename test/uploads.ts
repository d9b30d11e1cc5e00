// Uploads: files as a browser sends them, with the fields beside them.

/** What a test hands in where the contract has a file. */
export interface TestFile {
  name: string
  content: Buffer | string
}
export const aFile = (name: string, content: Buffer | string): TestFile => ({ name, content })

const isFile = (value: unknown): value is TestFile => typeof value === 'object' && value !== null && 'content' in value

/** The fields as multipart/form-data. A list is sent as `name[]`, or, of files, as one part each. */
export function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value])
      if (isFile(one)) form.append(name, new Blob([Buffer.from(one.content)]), one.name)
      else if (one !== undefined && one !== null) form.append(Array.isArray(value) ? `${name}[]` : name, String(one))
  return form
}

/** The form as bytes, with its content type, for a request that is not made by `fetch`. */
export async function bytesOf(form: FormData): Promise<{ type: string; bytes: Buffer }> {
  const response = new Response(form)
  return { type: response.headers.get('content-type') ?? '', bytes: Buffer.from(await response.arrayBuffer()) }
}
