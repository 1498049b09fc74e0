/** The {@code relaxvm} command. */
module org.relaxvm.cli {
  requires org.relaxvm.api;
  requires org.relaxvm.vmcore;
  requires org.slf4j;
  requires info.picocli;
  requires com.fasterxml.jackson.jr.ob;
  requires static org.jspecify;
}
