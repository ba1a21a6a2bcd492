/** htmx attributes with which an element replaces itself with the reply to a GET request. `every`: such as `2s`. */
export const polling = (url: string, id: string, every: string) => ({
  'hx-get': url,
  'hx-trigger': `every ${every}`,
  'hx-target': `#${id}`,
  'hx-swap': 'outerHTML',
});
