// Logs that go into a bundle, packed by gzip.
declare module "*.eventlog" {
    const packed: Uint8Array<ArrayBuffer>;
    export default packed;
}
