/**
 * Functions that libraries of Apache TVM expect to find by name, in Java: sorting and random
 * numbers on the host, and questions about devices. {@link
 * org.relaxvm.interoptvm.functions.RuntimeFunctions} offers them.
 */
@NullMarked
package org.relaxvm.interoptvm.functions;

import org.jspecify.annotations.NullMarked;
