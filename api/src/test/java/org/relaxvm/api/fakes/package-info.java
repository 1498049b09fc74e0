/** Stand-ins for backends, used by the tests of this module. */
@NullMarked
package org.relaxvm.api.fakes;

import org.jspecify.annotations.NullMarked;
