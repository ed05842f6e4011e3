import { Layout } from "./layout.js";

export function NotFoundPage() {
  return (
    <Layout title="Page not found">
      <section class="card">
        <div class="stack">
          <h1>Page not found</h1>
          <p>The menu has no such order. The emulator forgets pre-filled orders when it ends or is reset.</p>
        </div>
      </section>
    </Layout>
  );
}
