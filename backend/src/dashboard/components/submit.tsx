/** A submit button, and a Cancel link if `cancel` contains its URL. */
export function Submit({ label, cancel }: { readonly label: string; readonly cancel?: string }) {
  return (
    <div class="actions">
      <button class="button">{label}</button>
      {cancel !== undefined && (
        <a class="button subtle" href={cancel}>
          Cancel
        </a>
      )}
    </div>
  );
}
