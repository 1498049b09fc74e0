/** Runs libraries that Apache TVM exported. */
module org.relaxvm.interoptvm {
  requires org.relaxvm.vmcore;
  requires org.slf4j;
  requires static org.jspecify;
}
