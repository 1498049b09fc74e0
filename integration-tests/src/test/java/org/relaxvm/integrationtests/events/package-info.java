/** What a flight recording shows, and that it costs nothing when there is none. */
@NullMarked
package org.relaxvm.integrationtests.events;

import org.jspecify.annotations.NullMarked;
