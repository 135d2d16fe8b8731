/** The files that the system opens with an installed page. TypeScript does not know of them yet. */
interface LaunchQueue {
    setConsumer(consumer: (launch: { readonly files: readonly FileSystemFileHandle[] }) => void): void;
}
