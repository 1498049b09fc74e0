/** The stable surface: values, packed functions, and the interfaces that backends implement. */
module org.relaxvm.api {
  requires org.slf4j;
  requires static transitive org.jspecify;
}
