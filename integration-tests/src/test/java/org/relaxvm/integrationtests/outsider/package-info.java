/**
 * The project seen from outside: {@code examples/third-party-backend} is built against the
 * published artifacts alone, and its jar is dropped into a folder of plugins.
 */
@NullMarked
package org.relaxvm.integrationtests.outsider;

import org.jspecify.annotations.NullMarked;
