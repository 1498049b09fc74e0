/** The options of a test run. */
module org.relaxvm.testsupport {
  requires static org.jspecify;

  exports org.relaxvm.testsupport;
}
